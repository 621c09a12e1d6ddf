import type { HostLink, HostSession } from '../../../app/contract/console/host.ts';
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

export const sessionStateWords = {
  CLAIMED: { badge: 'host:session.state.claimed', tone: 'BUSY' },
  STARTED: { badge: 'host:session.state.started', tone: 'BUSY' },
  SUCCEEDED: { badge: 'host:session.state.succeeded', tone: 'GOOD' },
  DECLINED: { badge: 'host:session.state.declined', tone: 'BAD' },
  CANCELLED: { badge: 'host:session.state.cancelled', tone: 'INFO' },
  FAILED: { badge: 'host:session.state.failed', tone: 'BAD' },
  GIVEN_UP: { badge: 'host:session.state.givenUp', tone: 'WARN' },
} as const satisfies Record<HostSession['state'], { badge: string; tone: Tone }>;

export const sessionOperationWords = {
  PURCHASE: 'host:session.purchase',
  REFUND: 'host:session.refund',
} as const satisfies Record<HostSession['operation'], string>;

/** Seconds by which the clocks may differ before somebody should look: a payment could fall into another business day. */
export const notableSkewSeconds = 30;
