/** The screen where members upload videos. */
import { useAccountText } from '@/i18n/account';
import { useUploadText } from '@/i18n/upload';
import { MemberFrame } from '@/shared/account/member-frame';
import { Uploads } from './uploads';

export default function UploadScreen() {
  const say = useUploadText();
  return (
    <MemberFrame title={useAccountText()('uploadVideos')} lead={say('lead')}>
      {() => <Uploads />}
    </MemberFrame>
  );
}
