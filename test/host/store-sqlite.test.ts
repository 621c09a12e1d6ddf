import { describe } from 'vitest';
import { groupBattery } from './group-battery.ts';
import { idempotencyBattery } from './idempotency-battery.ts';
import { hostNodeBattery, linkLeaseBattery } from './link-lease-battery.ts';
import { provisioningBattery } from './provisioning-battery.ts';
import { schemaBattery } from './schema-battery.ts';
import { sessionBattery } from './session-battery.ts';
import { sessionTicketBattery } from './session-ticket-battery.ts';
import { settlementBattery } from './settlement-battery.ts';
import { paymentBattery } from './store-battery.ts';
import { sqliteDatabases } from './test-databases.ts';

describe('the host store on SQLite', () => {
  const databases = sqliteDatabases();
  paymentBattery(databases);
  groupBattery(databases);
  idempotencyBattery(databases);
  sessionBattery(databases);
  settlementBattery(databases);
  provisioningBattery(databases);
  linkLeaseBattery(databases);
  hostNodeBattery(databases);
  sessionTicketBattery(databases);
  schemaBattery(databases);
});
