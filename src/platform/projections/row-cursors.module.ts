import { Module } from '@nestjs/common';
import { MonitoringModule } from '../http/monitoring.module.js';
import { StoresModule } from '../stores/stores.module.js';
import { RowCursors } from './row-cursors.js';

/** What follows from rows of read models, for the slices that have such work. */
@Module({ imports: [MonitoringModule, StoresModule], providers: [RowCursors], exports: [RowCursors] })
export class RowCursorsModule {}
