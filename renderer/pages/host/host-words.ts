import type { HostLink } from '../../../app/contract/console/host.ts';
import type { Tone } from '../../components/status-badge.tsx';

/** Each state as a word, what it means, and what can be done about it. */
export const hostStateWords = {
  NOT_PAIRED: { badge: 'host:state.notPaired', sentence: 'host:says.notPaired', tone: 'INFO' },
  TOKEN_MISSING: { badge: 'host:state.tokenMissing', sentence: 'host:says.tokenMissing', tone: 'WARN' },
  REFUSED: { badge: 'host:state.refused', sentence: 'host:says.refused', tone: 'WARN' },
  NOT_ASKED: { badge: 'host:state.notAsked', sentence: 'host:says.notAsked', tone: 'BUSY' },
  ONLINE: { badge: 'host:state.online', sentence: 'host:says.online', tone: 'GOOD' },
  OFFLINE: { badge: 'host:state.offline', sentence: 'host:says.offline', tone: 'WARN' },
} as const satisfies Record<HostLink['state'], { badge: string; sentence: string; tone: Tone }>;

/** Seconds by which the clocks may differ before somebody should look: a payment could fall into another business day. */
export const notableSkewSeconds = 30;
