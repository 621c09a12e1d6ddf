import { describe } from 'vitest';
import { postgresDatabases, sqliteDatabases } from '../test-databases.ts';
import { dayServicesBattery } from './day-battery.ts';
import { tipServicesBattery } from './tips-battery.ts';

const onSqlite = sqliteDatabases();

describe('on SQLite', () => {
  tipServicesBattery(onSqlite);
  dayServicesBattery(onSqlite);
});
describe('on PostgreSQL', () => {
  tipServicesBattery(postgresDatabases);
  dayServicesBattery(postgresDatabases);
});
