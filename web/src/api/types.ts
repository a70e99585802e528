/** API types under the names used in this app. The API description documents every field. */
import type { Answer, Schema } from './call';

export type VideoCard = Schema<'VideoCard'>;
export type Video = Schema<'ShownVideo'>;
/** A deleted or private video has only its status. */
export type GoneVideo = Exclude<Schema<'Video'>, Video>;
export type CategoryCard = Schema<'CategoryCard'>;
export type ModelCard = Schema<'ModelCard'>;
export type Model = Schema<'Model'>;
export type FacetValue = Schema<'FacetValue'>;
/** Additional data in a search response. */
export type SearchHelp = Partial<
  Pick<Schema<'SearchAnswer'>, 'relaxed' | 'shown_for' | 'did_you_mean' | 'groups' | 'partial'>
>;
export type Relaxed = Schema<'Relaxed'>;
export type VideosAnswer = Schema<'VideosAnswer'> & SearchHelp;
export type ModelsAnswer = Schema<'ModelsAnswer'>;
export type FacetsAnswer = Schema<'FacetsAnswer'>;
export type Suggestion = Schema<'Suggestion'>;
export type Suggestions = Schema<'SuggestionsAnswer'>;
export type Stream = Schema<'Stream'>;
export type VideoFile = Answer<'/api/videofile.php'>;
export type Caption = Schema<'Caption'>;
export type AudioOption = Schema<'AudioOption'>;
