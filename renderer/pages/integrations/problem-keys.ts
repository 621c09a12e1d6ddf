import type { OriginProblem } from '../../../app/domain/web-origin.ts';
import type { TextKey } from '../../i18n/text-key.ts';

/** Why a text is no origin, in words. */
export const problemKeys: Readonly<Record<OriginProblem, TextKey>> = {
  WILDCARD: 'integrations:origins.problem.wildcard',
  SCHEME: 'integrations:origins.problem.scheme',
  NOT_SECURE: 'integrations:origins.problem.notSecure',
  PATH: 'integrations:origins.problem.path',
  HOST: 'integrations:origins.problem.host',
};
