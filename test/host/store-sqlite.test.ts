import { describe } from 'vitest';
import { paymentBattery } from './store-battery.ts';
import { sqliteDatabases } from './test-databases.ts';

describe('the host store on SQLite', () => {
  paymentBattery(sqliteDatabases());
});
