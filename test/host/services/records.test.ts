import { describe } from 'vitest';
import { postgresDatabases, sqliteDatabases } from '../test-databases.ts';
import { recordServicesBattery } from './records-battery.ts';

const onSqlite = sqliteDatabases();

describe('on SQLite', () => recordServicesBattery(onSqlite));
describe('on PostgreSQL', () => recordServicesBattery(postgresDatabases));
