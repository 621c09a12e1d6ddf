import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Procedure } from '../../app/contract/console/procedure.ts';
import { type ProcedureName, type ProcedureRequest, procedures } from '../../app/contract/console/procedures.ts';
import type { RefusalReason } from '../../app/contract/console/refusal.ts';
import { everyRole, type Role } from '../../app/contract/console/roles.ts';
import { type ConsoleHarness, createConsoleHarness } from './console-harness.ts';

/** Who may do what, written down once more: a slip in the map shows here. C cashier, M manager, A administrator, S support; + with approval. */
const rules: Readonly<Record<ProcedureName, string>> = {
  'session.state': 'anyone',
  'session.createFirstAdministrator': 'anyone',
  'session.signIn': 'anyone',
  'session.signOut': 'C M A S',
  'session.touch': 'C M A S',
  'staff.list': 'A',
  'staff.create': 'A',
  'staff.update': 'A',
  'staff.setPin': 'A',
  'staff.deactivate': 'A',
  'settings.read': 'C M A S',
  'settings.update': 'C+ M A',
  'sell.start': 'C+ M A',
  'sell.abort': 'C M A',
  'sell.tips': 'C M A',
  'sell.openPreAuths': 'C M A S',
  'activity.search': 'C M A S',
  'activity.starters': 'C M A S',
  'activity.detail': 'C M A S',
  'attention.list': 'C M A S',
  'attention.resolve': 'C+ M A',
  'day.preview': 'C M A S',
  'day.capture': 'C M A',
  'day.close': 'C+ M A',
  'day.settlements': 'C M A S',
  'day.report': 'C M A S',
  'day.xReport': 'C M A S',
  'day.countCash': 'C M A',
  'day.schedule': 'C M A S',
  'day.changeSettings': 'C+ M A',
  'day.history': 'C M A S',
  'exports.transactions': 'C+ M A S+',
  'exports.settlements': 'C+ M A S+',
  'exports.report': 'C+ M A S+',
  'terminals.list': 'C M A S',
  'printing.printers': 'C M A S',
  'printing.savePrinter': 'C+ M A S+',
  'printing.removePrinter': 'C+ M A S+',
  'printing.test': 'C M A S',
  'printing.receipt': 'C M A S',
  'printing.receiptFile': 'C M A S',
  'printing.report': 'C M A S',
  'printing.reportFile': 'C M A S',
  'printing.again': 'C M A S',
  'printing.dismiss': 'C M A S',
  'host.links': 'C M A S',
  'host.sessions': 'C M A S',
  'host.offlineSales': 'C M A S',
  'host.check': 'C M A S',
  'host.pair': 'C+ M A',
  'host.unpair': 'C+ M A',
  'terminals.probe': 'C M A S',
  'terminals.testDisplay': 'C M A S',
  'terminals.testPrint': 'C M A S',
  'terminals.ports': 'M A',
  'terminals.search': 'M A',
  'terminals.stopSearch': 'M A',
  'terminals.test': 'M A',
  'terminals.add': 'M A',
  'terminals.rename': 'M A',
  'terminals.makeDefault': 'M A',
  'terminals.askTip': 'M A',
  'terminals.remove': 'C+ M A S+',
  'virtual.state': 'C M A S',
  'virtual.act': 'C M A S',
  'integrations.overview': 'C M A S',
  'integrations.clients.list': 'C M A S',
  'integrations.clients.create': 'C+ M A S+',
  'integrations.clients.rename': 'C+ M A S+',
  'integrations.clients.rotate': 'C+ M A S+',
  'integrations.clients.revoke': 'C+ M A S+',
  'integrations.origins.list': 'C M A S',
  'integrations.origins.allow': 'C+ M A S+',
  'integrations.origins.remove': 'C+ M A S+',
  'integrations.requests': 'C M A S',
  'integrations.diagnose': 'C M A S',
  'support.log': 'M A S',
  'support.traces': 'M A S',
  'support.diagnostics': 'M A S',
  'support.work': 'M A S',
  'support.verify': 'M A S',
  'support.makeBundle': 'M A S',
  'support.stop': 'M A S',
  'support.entry': 'M A S',
  'support.handOver': 'M A S+',
};
const letters: Readonly<Record<Role, string>> = { CASHIER: 'C', MANAGER: 'M', ADMIN: 'A', SUPPORT: 'S' };

const range = { from: '2001-01-01T00:00:00Z', to: '2001-01-02T00:00:00Z' };
const candidate: ProcedureRequest<'terminals.search'> = {
  line: { kind: 'TCP', host: '127.0.0.1', port: 1 },
  password: '000000',
  currency: 'EUR',
};

/** A request that the schema takes and that changes nothing: what it names is not there. The refund is above the limit. */
const requests: { readonly [Name in ProcedureName]: ProcedureRequest<Name> } = {
  'session.state': {},
  'session.createFirstAdministrator': { name: 'Eve', pin: '1234' },
  'session.signIn': { staffId: 'nobody', pin: '1234' },
  'session.signOut': {},
  'session.touch': {},
  'staff.list': {},
  'staff.create': { name: 'Anna', role: 'CASHIER', pin: '1234' },
  'staff.update': { staffId: 'nobody', name: 'Eve' },
  'staff.setPin': { staffId: 'nobody', pin: '1234' },
  'staff.deactivate': { staffId: 'nobody' },
  'settings.read': {},
  'settings.update': { changes: {} },
  'sell.start': {
    type: 'REFUND',
    amount: 5_001,
    currency: 'EUR',
    originalTransactionId: 'none',
    idempotencyKey: 'attempt-1',
  },
  'sell.abort': { transactionId: 'none' },
  'sell.tips': { terminalId: 'none' },
  'sell.openPreAuths': {},
  'activity.search': { limit: 10 },
  'activity.starters': {},
  'activity.detail': { transactionId: 'none' },
  'attention.list': {},
  'attention.resolve': { transactionId: 'none', charged: true, evidence: 'the slip' },
  'day.preview': {},
  // Refused by the engine, which has no such terminal.
  'day.capture': { transactionId: 'none', idempotencyKey: 'capture-1' },
  'day.close': { terminalId: 'none', idempotencyKey: 'close-1' },
  'day.settlements': { limit: 10 },
  'day.report': { settlementId: 'none' },
  'day.xReport': {},
  'day.countCash': { terminalId: 'none', openingFloat: 0, pieces: [], other: 0 },
  'day.schedule': {},
  'day.changeSettings': { blindCashCount: false },
  'day.history': range,
  'exports.transactions': { ...range, format: { delimiter: ',', decimal: '.' } },
  'exports.settlements': { ...range, format: { delimiter: ',', decimal: '.' } },
  'exports.report': { settlementId: 'none', format: { delimiter: ',', decimal: '.' } },
  'terminals.list': {},
  'printing.printers': {},
  'printing.savePrinter': {
    printer: {
      printerId: 'p1',
      name: 'Counter',
      url: 'nowhere',
      columns: 42,
      codepage: 'AUTO',
      cut: 'FULL',
      autoPrint: 'NONE',
    },
  },
  'printing.removePrinter': { printerId: 'none' },
  'printing.test': { printerId: 'none' },
  'printing.receipt': { transactionId: 'none', copy: 'CUSTOMER', printerId: 'none' },
  'printing.receiptFile': { transactionId: 'none', copy: 'CUSTOMER' },
  'printing.report': { settlementId: 'none', printerId: 'none' },
  'printing.reportFile': { settlementId: 'none' },
  'printing.again': { jobId: 'none' },
  'printing.dismiss': { jobId: 'none' },
  'terminals.probe': { terminalId: 'none' },
  'terminals.testDisplay': { terminalId: 'none', lines: ['Test'] },
  'terminals.testPrint': { terminalId: 'none', lines: ['Test'] },
  'terminals.ports': {},
  'terminals.search': candidate,
  'terminals.stopSearch': {},
  'terminals.test': candidate,
  'host.links': {},
  'host.sessions': {},
  'host.offlineSales': {},
  'host.check': { terminalId: 'none' },
  'host.pair': { terminalId: 'none', code: '7K2M9QXD' },
  'host.unpair': { terminalId: 'none' },
  'terminals.add': { ...candidate, name: 'Bar', isDefault: false },
  'terminals.rename': { terminalId: 'none', name: 'Bar' },
  'terminals.makeDefault': { terminalId: 'none' },
  'terminals.askTip': { terminalId: 'none', asksTip: true },
  'terminals.remove': { terminalId: 'none' },
  'virtual.state': { terminalId: 'none' },
  'virtual.act': { terminalId: 'none', action: { kind: 'KEY', key: 'OK' } },
  'integrations.overview': {},
  'integrations.clients.list': {},
  'integrations.clients.create': { name: 'taken' },
  'integrations.clients.rename': { name: 'nobody', newName: 'somebody' },
  'integrations.clients.rotate': { name: 'nobody', graceSeconds: 0 },
  'integrations.clients.revoke': { name: 'nobody' },
  'integrations.origins.list': {},
  'integrations.origins.allow': { origin: 'no origin' },
  'integrations.origins.remove': { origin: 'https://nobody.example' },
  'integrations.requests': { after: 0 },
  'integrations.diagnose': {},
  'support.log': { after: 0 },
  'support.traces': { terminalId: 'none' },
  'support.diagnostics': {},
  'support.work': {},
  'support.verify': {},
  'support.makeBundle': { days: 1, leavesOutLines: false },
  'support.stop': { what: 'BUNDLE' },
  'support.entry': { name: 'none' },
  'support.handOver': {},
};

const procedureNames = Object.keys(procedures) as ProcedureName[];
const doorReasons: readonly (RefusalReason | undefined)[] = [
  'SIGN_IN_REQUIRED',
  'ROLE_NOT_ALLOWED',
  'APPROVAL_REQUIRED',
];

function ruleFor(name: ProcedureName, role: Role): 'NO' | 'YES' | 'WITH_APPROVAL' {
  const rule = rules[name].split(' ').find((part) => part.startsWith(letters[role]));
  if (rules[name] === 'anyone') return 'YES';
  if (rule === undefined) return 'NO';
  return rule.endsWith('+') ? 'WITH_APPROVAL' : 'YES';
}

let harness: ConsoleHarness;
beforeAll(async () => {
  harness = await createConsoleHarness();
  const admin = await harness.as('ADMIN');
  await admin.get('integrations.clients.create', { name: 'taken' });
});
afterAll(() => harness.stop());

/** What the door says: its reason, or PASSED for whatever the handler answers. */
async function doorAnswer(role: Role | undefined, name: ProcedureName, request: object): Promise<string> {
  const screen = role === undefined ? harness.open() : await harness.as(role);
  const answer = await screen.call(name, request as never);
  screen.close();
  if (answer.ok || !doorReasons.includes(answer.refusal.reason)) return 'PASSED';
  return answer.refusal.reason ?? '';
}

describe('the rules', () => {
  it('name every procedure of the map, and only those', () => {
    expect(Object.keys(rules).sort()).toEqual([...procedureNames].sort());
  });

  it('let only look-ups go on in the background: whatever changes something is a command', () => {
    const lookUps = procedureNames.filter((name) => procedures[name].kind === 'LOOK_UP');
    expect(lookUps.sort()).toEqual(
      [
        ...[
          'activity.detail',
          'activity.search',
          'activity.starters',
          'attention.list',
          'day.preview',
          'day.report',
          'day.settlements',
        ],
        ...['day.history', 'day.schedule', 'day.xReport'],
        'printing.printers',
        ...['integrations.clients.list', 'integrations.diagnose', 'integrations.origins.list', 'integrations.overview'],
        ...['support.diagnostics', 'support.entry', 'support.log', 'support.traces', 'support.work'],
        ...['integrations.requests', 'sell.openPreAuths', 'sell.tips', 'session.state', 'settings.read', 'staff.list'],
        ...[
          'host.check',
          'host.links',
          'host.offlineSales',
          'host.sessions',
          'terminals.list',
          'terminals.ports',
          'virtual.state',
        ],
      ].sort(),
    );
  });

  it('offer approval in the request exactly where the map can ask for it', () => {
    for (const name of procedureNames) {
      const procedure: Procedure = procedures[name];
      expect(JSON.stringify(procedure.request).includes('"approval"'), name).toBe(procedure.approval !== undefined);
    }
  });
});

describe.each(procedureNames)('%s', (name) => {
  it('needs a sign-in, unless anyone may call it', async () => {
    expect(await doorAnswer(undefined, name, requests[name])).toBe(
      rules[name] === 'anyone' ? 'PASSED' : 'SIGN_IN_REQUIRED',
    );
  });

  it.each(everyRole)('keeps its rule for %s without approval', async (role) => {
    const expected = { NO: 'ROLE_NOT_ALLOWED', YES: 'PASSED', WITH_APPROVAL: 'APPROVAL_REQUIRED' }[ruleFor(name, role)];
    expect(await doorAnswer(role, name, requests[name])).toBe(expected);
  });

  const { approval }: Procedure = procedures[name];
  if (approval === undefined) return;
  it.each(everyRole)('keeps its rule for %s with approval', async (role) => {
    const rule = ruleFor(name, role);
    for (const approver of everyRole) {
      const answer = await doorAnswer(role, name, { ...requests[name], approval: harness.staff[approver] });
      const approves = approver === 'MANAGER' || approver === 'ADMIN';
      const isRefused = rule === 'NO' || (rule === 'WITH_APPROVAL' && !approves);
      expect(answer, `approved by ${approver}`).toBe(isRefused ? 'ROLE_NOT_ALLOWED' : 'PASSED');
    }
  });

  it('takes no approval with a wrong PIN', async () => {
    const asking = everyRole.find((role) => ruleFor(name, role) === 'WITH_APPROVAL') ?? 'CASHIER';
    const screen = await harness.as(asking);
    const request = { ...requests[name], approval: { staffId: harness.staff.MANAGER.staffId, pin: '0001' } };
    expect(await screen.refusal(name, request)).toMatchObject({ reason: 'PIN_WRONG', field: 'approval.pin' });
    // The right PIN ends the count, so that the next test finds no lock.
    await harness.as('MANAGER');
  });
});

describe('a refund', () => {
  it('up to the limit needs no approval', async () => {
    expect(await doorAnswer('CASHIER', 'sell.start', { ...requests['sell.start'], amount: 5_000 })).toBe('PASSED');
  });
});
