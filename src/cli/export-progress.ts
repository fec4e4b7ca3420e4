import cliProgress from 'cli-progress';

/** Records of each file so far, on stderr of a terminal. How many there will be is not known before the end. */
export class ExportProgress {
  private readonly records = new Map<string, number>();
  private readonly bars = new cliProgress.MultiBar(
    { format: '{file} | {value} records | {duration_formatted}', hideCursor: true, clearOnComplete: true },
    cliProgress.Presets.shades_classic,
  );
  private readonly barOf = new Map<string, cliProgress.SingleBar>();

  show(file: string, records: number): void {
    this.records.set(file, records);
    const bar = this.barOf.get(file) ?? this.bars.create(Number.MAX_SAFE_INTEGER, 0, { file });
    this.barOf.set(file, bar);
    bar.update(records);
  }

  stop(): void {
    this.bars.stop();
  }

  counts(): ReadonlyMap<string, number> {
    return this.records;
  }
}
