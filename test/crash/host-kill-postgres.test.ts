import { createPostgresDatabase } from '../support/postgres.ts';
import { hostKillBattery } from './host-kill-battery.ts';

hostKillBattery('PostgreSQL', createPostgresDatabase);
