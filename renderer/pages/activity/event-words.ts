import type { TransactionEvent } from '../../../app/contract/session.ts';
import type { Tone } from '../../components/status-badge.tsx';
import type { Translate } from '../../hooks/use-texts.ts';
import { cardName, lastFourOf, paymentState } from './payment-state.ts';

export interface EventWords {
  readonly tone: Tone;
  readonly sentence: string;
  readonly detail?: string | undefined;
  /** What the terminal or the till said about it, as it said it: for support. */
  readonly technical?: string | undefined;
}

const cancelWords = {
  OPERATOR: 'activity:cancelled.operator',
  CARDHOLDER: 'activity:cancelled.cardholder',
  TIMEOUT: 'activity:cancelled.timeout',
  POS_REQUEST: 'activity:cancelled.posRequest',
  CARD_REMOVED: 'activity:cancelled.cardRemoved',
} as const;

const entryWords: Readonly<Record<string, 'contactless' | 'contact' | 'magstripe' | 'manual'>> = {
  CONTACTLESS: 'contactless',
  CONTACT: 'contact',
  MAGSTRIPE: 'magstripe',
  FALLBACK: 'magstripe',
  MANUAL: 'manual',
};

const entryTexts = {
  contactless: 'activity:entry.contactless',
  contact: 'activity:entry.contact',
  magstripe: 'activity:entry.magstripe',
  manual: 'activity:entry.manual',
} as const;

/** How the card was read, in a word; undefined for what the terminal has not told. */
export function entryText(t: Translate, entryMode: string | undefined): string | undefined {
  const word = entryMode === undefined ? undefined : entryWords[entryMode];
  return word === undefined ? undefined : t(entryTexts[word]);
}

/** One event of a transaction in words; undefined for events that tell a person nothing. */
export function eventWords(t: Translate, event: TransactionEvent): EventWords | undefined {
  switch (event.event) {
    case 'waiting_for_card':
      return { tone: 'BUSY', sentence: t('activity:event.waitingForCard') };
    case 'card_detected': {
      const card = cardName(event.cardScheme ?? event.scheme, lastFourOf(event.maskedPan));
      const detail = [entryText(t, event.entryMode), card].filter((part) => part !== undefined).join(' · ');
      return { tone: 'INFO', sentence: t('activity:event.cardDetected'), detail: detail === '' ? undefined : detail };
    }
    case 'pin_required':
      return { tone: 'INFO', sentence: t('activity:event.pinRequired') };
    case 'processing':
      return { tone: 'BUSY', sentence: t('activity:event.processing') };
    case 'cancelled':
      return { tone: 'INFO', sentence: t(cancelWords[event.reason]) };
    case 'result':
    case 'outcome_resolved': {
      const { response } = event;
      const { tone, word } = paymentState({ ...response, charged: response.outcome?.charged ?? 'NO' });
      const sentence = event.event === 'result' ? t(word) : `${t('activity:event.resolved')} ${t(word)}`;
      // An approval speaks for itself; for anything else, what is known and from what.
      return { tone, sentence, technical: tone === 'GOOD' ? undefined : response.outcome?.evidence };
    }
    case 'error':
      return { tone: 'WARN', sentence: event.message, detail: event.errorCode };
    default:
      return undefined;
  }
}
