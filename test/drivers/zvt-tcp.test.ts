import { describeDriver } from './battery.ts';
import { zvtKind } from './zvt-bench.ts';

describeDriver(zvtKind('TCP'));
