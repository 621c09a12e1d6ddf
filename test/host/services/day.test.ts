import { describe } from 'vitest';
import { postgresDatabases, sqliteDatabases } from '../test-databases.ts';
import { dayServicesBattery } from './day-battery.ts';

const onSqlite = sqliteDatabases();

describe('on SQLite', () => dayServicesBattery(onSqlite));
describe('on PostgreSQL', () => dayServicesBattery(postgresDatabases));
