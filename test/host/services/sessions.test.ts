import { describe } from 'vitest';
import { postgresDatabases, sqliteDatabases } from '../test-databases.ts';
import { sessionServicesBattery } from './sessions-battery.ts';

const onSqlite = sqliteDatabases();

describe('on SQLite', () => sessionServicesBattery(onSqlite));
describe('on PostgreSQL', () => sessionServicesBattery(postgresDatabases));
