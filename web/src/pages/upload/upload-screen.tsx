/** The screen where members upload videos. */
import { useAccountText } from '@/i18n/account';
import { useActionText } from '@/i18n/actions';
import { useErrorText } from '@/i18n/errors';
import { useUploadText } from '@/i18n/upload';
import { MemberFrame } from '@/shared/account/member-frame';
import { Uploads } from './uploads';

export default function UploadScreen() {
  const say = useUploadText();
  // The cards need these texts during a transfer, when the site may be unreachable.
  useActionText();
  useErrorText();
  return (
    <MemberFrame title={useAccountText()('uploadVideos')} lead={say('lead')}>
      {() => <Uploads />}
    </MemberFrame>
  );
}
