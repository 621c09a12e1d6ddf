import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { addKey, addMerchant, addTerminal, type Provisioning } from '../admin/provisioning.ts';
import { createAdmission } from '../services/admission.ts';
import { credentialHash, newCredential } from '../services/credentials.ts';

/** A merchant to try the host with; the whole of it stands in READY. */
export interface Demo {
  readonly merchantId: string;
  readonly terminalId: string;
  readonly deviceId: string;
  readonly deviceToken: string;
  readonly secretKey: string;
  readonly publishableKey: string;
  readonly currency: string;
}

const currency = 'EUR';

/** The demo merchant of a data folder: the same at each start, as long as its keys work on this database. */
export async function openDemo(provisioning: Provisioning, dataDir: string): Promise<Demo> {
  const path = join(dataDir, 'demo.json');
  const kept = existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Demo) : undefined;
  if (kept !== undefined && (await works(provisioning, kept))) return kept;
  const demo = await makeDemo(provisioning);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(path, `${JSON.stringify(demo)}\n`, { mode: 0o600 });
  return demo;
}

async function works({ store, clock }: Provisioning, demo: Demo): Promise<boolean> {
  const { deviceOf, keyOf } = createAdmission({ store, clock });
  const found = await Promise.all([deviceOf(demo.deviceToken), keyOf(demo.secretKey), keyOf(demo.publishableKey)]);
  return found.every((each) => each !== undefined);
}

async function makeDemo(provisioning: Provisioning): Promise<Demo> {
  const { store, clock, ids } = provisioning;
  const { merchantId } = await addMerchant(provisioning, { name: 'Demo' });
  // As a till on this machine has it unless it is told otherwise.
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const terminal = { merchantId, name: 'Demo terminal', currency, timeZone };
  const { terminalId, deviceId } = await addTerminal(provisioning, terminal);
  const secret = await addKey(provisioning, { merchantId, name: 'Demo server', kind: 'SECRET' });
  const publishable = await addKey(provisioning, { merchantId, name: 'Demo page', kind: 'PUBLISHABLE' });
  const deviceToken = newCredential(ids, 'DEVICE');
  // Paired without a person who types: the code is used where it is made.
  const code = { selector: ids.next(), codeHash: ids.next() };
  const nowMs = clock.nowMs();
  await store.transact(async (unit) => {
    await unit.offerPairingCode({ merchantId, terminalId, ...code, expiresAtMs: nowMs + 1_000 }, nowMs);
    await unit.tryPairing({ ...code, expected: {} }, credentialHash(deviceToken), nowMs);
  });
  const keys = { deviceToken, secretKey: secret.key, publishableKey: publishable.key };
  return { merchantId, terminalId, deviceId, ...keys, currency };
}
