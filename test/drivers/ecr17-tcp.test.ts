import { describeDriver } from './battery.ts';
import { ecr17Kind } from './ecr17-bench.ts';

describeDriver(ecr17Kind('TCP'));
