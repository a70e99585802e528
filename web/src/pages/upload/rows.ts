/** The screen's rows, which merge the server's uploads with this visit's transfers. This module is pure. */
import type { Schema } from '@/api/call';
import { UPLOAD_STATUS, type UploadStatus } from '@/api/status';
import type { Transfer } from './transfers';

export type UploadItem = Schema<'UploadItem'>;

export type Stage =
  | Exclude<Transfer['state'], 'sent'>
  /** The upload was started, but this page doesn't have the file. */
  | 'interrupted'
  /** The file is complete, but the details are missing. */
  | 'undescribed'
  | 'waiting'
  | 'working'
  | 'choosing'
  | 'moderation'
  | 'scheduled'
  | 'published'
  | 'rejected'
  | 'failed';

export interface Row {
  key: string;
  name: string;
  size: number;
  /** Number of bytes received or sent. */
  sent: number;
  /** Id of the video that gets it as its new film, or null for a video of its own. */
  replaces: number | null;
  stage: Stage;
  item?: UploadItem | undefined;
  transfer?: Transfer | undefined;
}

const VIDEO_STAGES: Partial<Record<UploadStatus, Stage>> = {
  [UPLOAD_STATUS.published]: 'published',
  [UPLOAD_STATUS.inReview]: 'moderation',
  [UPLOAD_STATUS.draft]: 'choosing',
  [UPLOAD_STATUS.rejected]: 'rejected',
  [UPLOAD_STATUS.scheduled]: 'scheduled',
};

/** Returns the stage according to the server. */
function itemStage({ state, title, step, video }: UploadItem): Stage {
  switch (state) {
    case 'receiving':
      return 'interrupted';
    case 'received':
      return title === null ? 'undescribed' : 'waiting';
    case 'processing':
      return step === null || step === 'waiting' ? 'waiting' : 'working';
    case 'done':
      return (video && VIDEO_STAGES[video.status_id]) ?? 'moderation';
    default:
      return 'failed';
  }
}

/** Returns the stage. Once a file is complete, the server's state counts. Until then, this page's state does. */
export function stageOf(item: UploadItem | undefined, transfer: Transfer | undefined): Stage {
  if (!transfer || (item && item.state !== 'receiving')) return item ? itemStage(item) : 'failed';
  if (transfer.state !== 'sent') return transfer.state;
  // A new film takes the details of its video.
  return item?.title == null && transfer.replaces === null ? 'undescribed' : 'waiting';
}

const rowOf = (key: string, item: UploadItem | undefined, transfer: Transfer | undefined): Row => ({
  key,
  name: transfer?.file.name ?? item?.file_name ?? '',
  size: transfer?.file.size ?? item?.size_bytes ?? 0,
  sent: transfer?.sent ?? item?.received_bytes ?? 0,
  replaces: item?.replaces ?? transfer?.replaces ?? null,
  stage: stageOf(item, transfer),
  item,
  transfer,
});

/**
 * Returns the files added on this page in their order, then the server's other uploads, so that no row moves while it is being used.
 * `listedAt` is when the server's list was requested.
 */
export function rowsOf(
  uploads: readonly UploadItem[],
  transfers: readonly Transfer[],
  listedAt: number,
): Row[] {
  const items = new Map(uploads.map((item) => [item.token, item]));
  const itemOf = ({ token }: Transfer) => (token === null ? undefined : items.get(token));
  const begun = transfers.filter(
    (transfer) => transfer.key !== transfer.token || !itemOf(transfer),
  );
  const adopted = new Map(transfers.map((transfer) => [transfer.key, transfer]));
  const taken = new Set(begun.map(({ token }) => token));
  const isGone = (transfer: Transfer) =>
    transfer.sentAt !== null && transfer.sentAt < listedAt && !itemOf(transfer);
  return [
    ...begun
      .filter((transfer) => !isGone(transfer))
      .map((transfer) => rowOf(transfer.key, itemOf(transfer), transfer)),
    ...uploads
      .filter(({ token }) => !taken.has(token))
      .map((item) => rowOf(item.token, item, adopted.get(item.token))),
  ];
}

/** Stages at which details may still be added, because processing has not started. */
const OPEN: readonly Stage[] = [
  'held',
  'queued',
  'sending',
  'paused',
  'broken',
  'interrupted',
  'undescribed',
  'waiting',
];
export const isOpen = (stage: Stage): boolean => OPEN.includes(stage);

/** Stages at which an upload has ended without a video, so that another file may be chosen. */
const OVER: readonly Stage[] = ['refused', 'rejected', 'failed'];
export const isOver = (stage: Stage): boolean => OVER.includes(stage);

/** Stages whose row shows progress. */
export const showsProgress = (stage: Stage): boolean =>
  stage === 'sending' || stage === 'paused' || stage === 'broken' || stage === 'interrupted';
