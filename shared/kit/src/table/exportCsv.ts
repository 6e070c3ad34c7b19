import { formatToday } from '@dmp/kit/screen'
import { notify } from '@dmp/kit/ui'
import type { Column } from './column.ts'
import { formatCsv, saveFile } from './csv.ts'

export interface CsvExport<Row> {
  /** The table's label, which names the file. */
  readonly label: string
  readonly columns: readonly Column<Row>[]
  readonly loadRows: () => Promise<readonly Row[]>
}

/** Saves the rows as a CSV file, and says how many there were or why it failed. */
export async function exportCsv<Row>({ label, columns, loadRows }: CsvExport<Row>): Promise<void> {
  try {
    const rows = await loadRows()
    saveFile(`${label.toLowerCase().replaceAll(' ', '-')}-${formatToday()}.csv`, formatCsv(columns, rows))
    notify.success(`${rows.length} rows exported.`)
  } catch (error) {
    notify.error(error instanceof Error ? error.message : 'The export failed.')
  }
}
