import type { VirtualScript } from '../../../app/contract/console/virtual.ts';
import type { TextKey } from '../../i18n/text-key.ts';

interface FaultGroup {
  readonly label: TextKey;
  readonly rules: readonly { readonly rule: string; readonly text: TextKey }[];
}

/** What the next payment can meet at this terminal, in the groups that a person looks for them. */
export function faultGroupsOf({ rules: known, playsIssuer }: VirtualScript): readonly FaultGroup[] {
  const isPlayed = (rule: string) => (rule.startsWith('decline-') ? playsIssuer : known.includes(rule));
  return faultGroups
    .map(({ label, rules }) => ({ label, rules: rules.filter(({ rule }) => isPlayed(rule)) }))
    .filter(({ rules }) => rules.length > 0);
}

const faultGroups: readonly FaultGroup[] = [
  {
    label: 'terminals:virtual.fault.group.bank',
    rules: [
      { rule: 'decline-51', text: 'terminals:virtual.rule.decline51' },
      { rule: 'decline-05', text: 'terminals:virtual.rule.decline05' },
      { rule: 'decline-54', text: 'terminals:virtual.rule.decline54' },
      { rule: 'decline-55', text: 'terminals:virtual.rule.decline55' },
      { rule: 'decline-65', text: 'terminals:virtual.rule.decline65' },
      { rule: 'decline-43', text: 'terminals:virtual.rule.decline43' },
      { rule: 'decline-91', text: 'terminals:virtual.rule.decline91' },
    ],
  },
  {
    label: 'terminals:virtual.fault.group.line',
    rules: [
      { rule: 'drop-before-host', text: 'terminals:virtual.rule.dropBeforeHost' },
      { rule: 'drop-before-chip', text: 'terminals:virtual.rule.dropBeforeChip' },
      { rule: 'drop-after-host', text: 'terminals:virtual.rule.dropAfterHost' },
      { rule: 'drop-after-final', text: 'terminals:virtual.rule.dropAfterFinal' },
      { rule: 'noise', text: 'terminals:virtual.rule.noise' },
      { rule: 'half-frame', text: 'terminals:virtual.rule.halfFrame' },
      { rule: 'reply-in-pieces', text: 'terminals:virtual.rule.replyInPieces' },
      { rule: 'lost-ack', text: 'terminals:virtual.rule.lostAck' },
      { rule: 'wrong-lrc', text: 'terminals:virtual.rule.wrongLrc' },
    ],
  },
  {
    label: 'terminals:virtual.fault.group.card',
    rules: [
      { rule: 'card-removed', text: 'terminals:virtual.rule.cardRemoved' },
      { rule: 'chip-refuses-after-approval', text: 'terminals:virtual.rule.chipRefusesAfterApproval' },
      { rule: 'offline-approval', text: 'terminals:virtual.rule.offlineApproval' },
      { rule: 'clear-card-data', text: 'terminals:virtual.rule.clearCardData' },
    ],
  },
  {
    label: 'terminals:virtual.fault.group.terminal',
    rules: [
      { rule: 'busy', text: 'terminals:virtual.rule.busy' },
      { rule: 'slow', text: 'terminals:virtual.rule.slow' },
      { rule: 'no-answer', text: 'terminals:virtual.rule.noAnswer' },
      { rule: 'no-extended', text: 'terminals:virtual.rule.noExtended' },
      { rule: 'unplug', text: 'terminals:virtual.rule.unplug' },
      { rule: 'reboot', text: 'terminals:virtual.rule.reboot' },
      { rule: 'cardholder-cancel', text: 'terminals:virtual.rule.cardholderCancel' },
    ],
  },
  {
    label: 'terminals:virtual.fault.group.answer',
    rules: [
      { rule: 'wrong-amount', text: 'terminals:virtual.rule.wrongAmount' },
      { rule: 'duplicate-reply', text: 'terminals:virtual.rule.duplicateReply' },
      { rule: 'progress-flood', text: 'terminals:virtual.rule.progressFlood' },
      { rule: 'no-result-code', text: 'terminals:virtual.rule.noResultCode' },
      { rule: 'late-approval-after-abort', text: 'terminals:virtual.rule.lateApprovalAfterAbort' },
    ],
  },
  {
    label: 'terminals:virtual.fault.group.duty',
    rules: [
      { rule: 'out-of-paper', text: 'terminals:virtual.rule.outOfPaper' },
      { rule: 'day-close-needed', text: 'terminals:virtual.rule.dayCloseNeeded' },
      { rule: 'needs-initialisation', text: 'terminals:virtual.rule.needsInitialisation' },
    ],
  },
];
