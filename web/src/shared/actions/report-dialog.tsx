/** Tells the site what is wrong with a thing. Guests may, too. */
import ContactModal from '@/shared/contact/contact-modal';
import type { Section } from './member-state';

interface Props {
  section: Section | 'comment';
  id: number;
  title: string;
  onClose: () => void;
}

export default function ReportDialog({ section, id, title, onClose }: Props) {
  return <ContactModal about={{ section, object_id: id }} subject={title} onClose={onClose} />;
}
