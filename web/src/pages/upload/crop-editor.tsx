/** Chooses the part of a picture that becomes the poster. The server crops; the browser only sends where. */
import { useCallback, useId, useState, type KeyboardEvent } from 'react';
import Cropper, { type Area, type MediaSize } from 'react-easy-crop';
import 'react-easy-crop/react-easy-crop.css';
import { useUploadText } from '@/i18n/upload';
import { useVisitor } from '@/lib/visitor';
import { Button } from '@/ui/button';
import type { Limits } from './file-checks';

/** The shape of posters. The server crops any other shape around its center. */
const ASPECT = 16 / 9;
const CENTER = { x: 0, y: 0 };
/** How much a key press zooms. */
const STEP = 1.1;
/** Beyond this, little of the picture would be left. */
const MAX_ZOOM = 8;
const ZOOM_STEP = 0.01;
/** How far an arrow key moves the picture, in pixels of the screen. With Shift it is a fifth. */
const MOVE = 20;

interface Props {
  /** The picture's address. */
  src: string;
  limits: Pick<Limits, 'poster_width' | 'poster_height'>;
  /** Receives the part in pixels of the upright picture. */
  onChange: (part: Area) => void;
  /** The browser can't show the picture. */
  onUnreadable: () => void;
}

/** How far a picture may be enlarged until the frame has the fewest pixels that a poster may have. */
function mostZoom(size: MediaSize, limits: Props['limits']): number {
  const width = Math.min(size.naturalWidth, size.naturalHeight * ASPECT);
  const least = Math.max(limits.poster_width, limits.poster_height * ASPECT);
  return Math.min(MAX_ZOOM, Math.max(1, width / least));
}

export default function CropEditor({ src, limits, onChange, onUnreadable }: Props) {
  const say = useUploadText();
  const { lang } = useVisitor();
  const id = useId();
  const [center, setCenter] = useState(CENTER);
  const [zoom, setZoom] = useState(1);
  const [most, setMost] = useState(1);
  const [shown, setShown] = useState<Area>();
  const loaded = useCallback((size: MediaSize) => setMost(mostZoom(size, limits)), [limits]);
  const percent = (share: number) =>
    share.toLocaleString(lang, { style: 'percent', maximumFractionDigits: 0 });
  const zoomBy = (factor: number) => setZoom(Math.min(most, Math.max(1, zoom * factor)));
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '+' || event.key === '=') zoomBy(STEP);
    else if (event.key === '-') zoomBy(1 / STEP);
    else return;
    event.preventDefault();
  };
  return (
    <div role="group" aria-labelledby={`${id}-name`} className="flex max-w-2xl flex-col gap-3">
      <p id={`${id}-name`} className="text-sm font-semibold">
        {say('crop')}
      </p>
      <div className="relative aspect-[16/10] overflow-hidden rounded-control bg-black">
        <Cropper
          image={src}
          aspect={ASPECT}
          objectFit="horizontal-cover"
          crop={center}
          zoom={zoom}
          maxZoom={most}
          keyboardStep={MOVE}
          onCropChange={setCenter}
          onZoomChange={setZoom}
          onMediaLoaded={loaded}
          onCropAreaChange={(_, part) => onChange(part)}
          onCropComplete={setShown}
          mediaProps={{ onError: onUnreadable }}
          cropperProps={{
            // Screen readers pass the arrow keys on.
            role: 'application',
            'aria-label': say('cropFrame'),
            'aria-describedby': `${id}-hint`,
            onKeyDownCapture: onKey,
          }}
          classes={{
            cropAreaClassName:
              'focus-visible:outline-3 focus-visible:-outline-offset-3 focus-visible:outline-accent',
          }}
          disableAutomaticStylesInjection
        />
      </div>
      <div className="flex items-center gap-4">
        <label htmlFor={`${id}-zoom`} className="text-sm">
          {say('cropZoom')}
        </label>
        <input
          id={`${id}-zoom`}
          type="range"
          min={1}
          max={most}
          step={ZOOM_STEP}
          value={zoom}
          disabled={most === 1}
          aria-valuetext={percent(zoom)}
          onChange={({ target }) => setZoom(target.valueAsNumber)}
          className="h-11 min-w-0 grow accent-accent disabled:opacity-50"
        />
        <Button
          look="plain"
          onClick={() => {
            setCenter(CENTER);
            setZoom(1);
          }}
        >
          {say('cropReset')}
        </Button>
      </div>
      <p id={`${id}-hint`} className="text-xs text-pretty text-muted">
        {say('cropHint')}
      </p>
      <p role="status" className="sr-only">
        {shown &&
          say('cropNow', {
            left: percent(shown.x / 100),
            top: percent(shown.y / 100),
            width: percent(shown.width / 100),
          })}
      </p>
    </div>
  );
}
