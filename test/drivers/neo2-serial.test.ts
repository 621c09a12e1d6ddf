import { describeDriver } from './battery.ts';
import { neo2Kind } from './neo2-bench.ts';

describeDriver(neo2Kind('SERIAL'));
