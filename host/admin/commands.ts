import { exportLedger } from '../ledger/export-ledger.ts';
import {
  type RecoveryTaskRecord,
  type ReversalRecord,
  type SessionRecord,
  TRIES_BEFORE_PERSON,
} from '../ports/host-records.ts';
import { UsageError } from '../program/options.ts';
import type { AdminCommand, Row, Values } from './admin-command.ts';
import { posClientCommands } from './pos-client-commands.ts';
import {
  addKey,
  addMerchant,
  addTerminal,
  changeBusinessDay,
  existingTerminal,
  missing,
  offerPairingCode,
  requiredName,
  requireMerchant,
  rotateKey,
} from './provisioning.ts';
import { defaultKeepHours, graceMsOf, iso, stateOf, text } from './values.ts';
import { writeWholeFile } from './write-whole-file.ts';

/** Tasks, and reversals, that one list names. */
const maxListed = 1_000;

const terminalOf = (values: Values) => ({ merchantId: text(values.merchant), terminalId: text(values.terminal) });

/** Every sub-command of `npm run host -- admin`, by its words. To add one: a row here; the help text and the options follow from it. */
export const adminCommands: Readonly<Record<string, AdminCommand>> = {
  'merchants add': {
    usage: '--name NAME [--id ID]',
    summary: 'adds a merchant',
    required: ['name'],
    optional: ['id'],
    run: async (context, { name, id }) => {
      const { merchantId } = await addMerchant(context, { name: text(name), id });
      return { merchantId, name };
    },
  },
  'merchants list': {
    usage: '',
    summary: 'names the merchants',
    required: [],
    run: async ({ store }) =>
      (await store.read.listMerchants()).map(({ merchantId, name, createdAtMs }) => ({
        merchantId,
        name,
        createdAt: iso(createdAtMs),
      })),
  },
  'terminals add': {
    usage:
      '--merchant ID --name NAME --currency EUR [--id ID] [--device ID] [--time-zone Europe/Vienna] [--cut-off 04:00]',
    summary:
      'adds a terminal, which settles in one currency; its business days are calendar days of UTC unless it is said',
    required: ['merchant', 'name', 'currency'],
    optional: ['id', 'device', 'time-zone', 'cut-off'],
    run: async (context, { merchant, name, currency, id, device, 'time-zone': timeZone, 'cut-off': cutOff }) => {
      const named = { merchantId: text(merchant), name: text(name), currency: text(currency), id, deviceId: device };
      const { merchantId, terminalId, deviceId, state } = await addTerminal(context, { ...named, timeZone, cutOff });
      return { merchantId, terminalId, deviceId, currency, state };
    },
  },
  'terminals list': {
    usage: '--merchant ID',
    summary: 'names the terminals of a merchant',
    required: ['merchant'],
    run: async ({ store }, { merchant }) => {
      await requireMerchant(store, text(merchant));
      return (await store.read.listTerminals(text(merchant))).map((each) => ({
        ...{ terminalId: each.terminalId, deviceId: each.deviceId, name: each.name, currency: each.currency },
        ...{ state: each.state, createdAt: iso(each.createdAtMs), ...each.businessDay },
      }));
    },
  },
  'terminals business-day': {
    usage: '--merchant ID --terminal ID [--time-zone Europe/Vienna] [--cut-off 04:00]',
    summary: 'sets by which time zone and cut-off the business dates of a terminal are told, from now on',
    required: ['merchant', 'terminal'],
    optional: ['time-zone', 'cut-off'],
    run: async (context, values) => {
      const given = { timeZone: values['time-zone'], cutOff: values['cut-off'] };
      const { merchantId, terminalId, businessDay } = await changeBusinessDay(context, terminalOf(values), given);
      return { merchantId, terminalId, ...businessDay };
    },
  },
  'terminals revoke': {
    usage: '--merchant ID --terminal ID',
    summary: 'takes the device token of a terminal out of force, at once',
    required: ['merchant', 'terminal'],
    run: async ({ store, clock }, values) => {
      const terminal = await existingTerminal(store, terminalOf(values));
      await store.transact((unit) => unit.setTerminalState(terminal, 'REVOKED', clock.nowMs()));
      return { merchantId: terminal.merchantId, terminalId: terminal.terminalId, state: 'REVOKED' };
    },
  },
  'pairing-codes add': {
    usage: '--merchant ID --terminal ID',
    summary: 'shows a code with which the terminal fetches its token: ten minutes, once',
    required: ['merchant', 'terminal'],
    run: async (context, values) => {
      const ref = terminalOf(values);
      const { pairingCode, expiresAtMs } = await offerPairingCode(context, ref, await context.openHmac());
      return { ...ref, pairingCode, expiresAt: iso(expiresAtMs) };
    },
  },
  'keys add': {
    usage: '--merchant ID --name NAME [--publishable]',
    summary: 'shows a new secret key (or publishable key) this once',
    required: ['merchant', 'name'],
    flags: ['publishable'],
    run: async (context, { merchant, name }, flags) => {
      const kind = flags.has('publishable') ? 'PUBLISHABLE' : 'SECRET';
      const issued = await addKey(context, { merchantId: text(merchant), name: text(name), kind });
      return { merchantId: merchant, keyId: issued.keyId, kind, key: issued.key };
    },
  },
  'keys list': {
    usage: '--merchant ID',
    summary: 'names the keys of a merchant and whether they work; never the keys',
    required: ['merchant'],
    run: async ({ store, clock }, { merchant }) => {
      await requireMerchant(store, text(merchant));
      const nowMs = clock.nowMs();
      return (await store.read.listKeys(text(merchant))).map((key) => ({
        ...{ keyId: key.keyId, kind: key.kind, name: key.name, state: stateOf(key, nowMs) },
        ...{ createdAt: iso(key.createdAtMs), worksUntil: iso(key.revokedAtMs ?? key.expiresAtMs) },
      }));
    },
  },
  'keys revoke': {
    usage: '--merchant ID --key ID',
    summary: 'takes a key out of force, at once',
    required: ['merchant', 'key'],
    run: async ({ store, clock }, { merchant, key }) => {
      const isRevoked = await store.transact((unit) => unit.revokeKey(text(merchant), text(key), clock.nowMs()));
      if (!isRevoked) throw missing('key of that merchant that works');
      return { merchantId: merchant, keyId: key, state: 'REVOKED' };
    },
  },
  'keys rotate': {
    usage: `--merchant ID --key ID [--keep-hours N]`,
    summary: `shows a new key this once; the old one works on for N hours (${defaultKeepHours})`,
    required: ['merchant', 'key'],
    optional: ['keep-hours'],
    run: async (context, { merchant, key, 'keep-hours': hours }) => {
      const rotation = { merchantId: text(merchant), keyId: text(key), graceMs: graceMsOf(hours) };
      const issued = await rotateKey(context, rotation);
      return { merchantId: merchant, keyId: issued.keyId, kind: issued.kind, key: issued.key, replaces: key };
    },
  },
  ...posClientCommands,
  recovery: {
    usage: '[--merchant ID]',
    summary:
      'lists what is not known or not taken back yet: recovery tasks, reversals and payment sessions that wait for a person',
    required: [],
    optional: ['merchant'],
    run: async ({ store }, { merchant }) => {
      const [tasks, reversals, sessions] = await Promise.all([
        store.read.openTasks(merchant, maxListed),
        store.read.reversalsForPerson(merchant, maxListed),
        store.read.sessionsInRecovery(merchant, maxListed),
      ]);
      return [...tasks.map(taskRow), ...reversals.map(reversalRow), ...sessions.map(sessionRow)];
    },
  },
  'sessions resolve': {
    usage: '--merchant ID --session ID --found TEXT',
    summary: 'says what a person has found out of a payment session that waits for one; nothing else is changed',
    required: ['merchant', 'session', 'found'],
    run: async ({ store, clock }, { merchant, session, found }) => {
      const ref = { merchantId: text(merchant), sessionId: text(session) };
      const resolution = requiredName('--found', text(found));
      const isResolved = await store.transact((unit) => unit.resolveSession(ref, resolution, clock.nowMs()));
      if (!isResolved) throw missing('payment session of that merchant that waits for a person');
      return { ...ref, resolution };
    },
  },
  'export-ledger': {
    usage: '--merchant ID [--out FILE]',
    summary: "writes a merchant's entries as a journal for hledger, to a file or to standard output",
    required: ['merchant'],
    optional: ['out'],
    run: async ({ store }, { merchant, out }, flags) => {
      if (out === undefined && flags.has('json')) {
        throw new UsageError('export-ledger writes a journal, not JSON: with --json it needs --out FILE');
      }
      await requireMerchant(store, text(merchant));
      const ledger = exportLedger(store.read, text(merchant));
      if (out === undefined) return ledger;
      await writeWholeFile(out, ledger);
      return { merchantId: merchant, file: out };
    },
  },
};

function taskRow(task: RecoveryTaskRecord): Row {
  return {
    ...{ kind: 'TASK', merchantId: task.merchantId, terminalId: task.terminalId, paymentId: task.paymentId },
    ...{ taskId: task.taskId, sessionId: undefined, reason: task.reason, tries: task.attempts },
    waitsFor: task.attempts >= TRIES_BEFORE_PERSON ? 'PERSON' : 'NEXT_TRY',
    ...{ nextTryAt: iso(task.nextAtMs), createdAt: iso(task.createdAtMs) },
  };
}

function reversalRow(reversal: ReversalRecord): Row {
  return {
    ...{ kind: 'REVERSAL', merchantId: reversal.merchantId, terminalId: reversal.terminalId },
    ...{
      paymentId: reversal.paymentId,
      taskId: undefined,
      sessionId: undefined,
      reason: reversal.reason,
      tries: reversal.attempts,
    },
    ...{ waitsFor: 'PERSON', nextTryAt: iso(reversal.nextAtMs), createdAt: iso(reversal.createdAtMs) },
  };
}

/** Its terminal has not told its end in time; the payment, where there is one, has tasks of its own. */
function sessionRow(session: SessionRecord): Row {
  return {
    ...{ kind: 'SESSION', merchantId: session.merchantId, terminalId: session.terminalId },
    ...{ paymentId: session.paymentId, taskId: undefined, sessionId: session.id, reason: session.failureCode },
    ...{ tries: undefined, waitsFor: 'PERSON', nextTryAt: undefined, createdAt: iso(session.createdAtMs) },
  };
}
