/** Where members send films. */
import { useUploadText } from '@/i18n/upload';
import { MemberFrame } from '@/shared/account/member-frame';
import { Uploads } from './uploads';

export default function UploadScreen() {
  const say = useUploadText();
  return (
    <MemberFrame title={say('title')} lead={say('lead')}>
      {() => <Uploads />}
    </MemberFrame>
  );
}
