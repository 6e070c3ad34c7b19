import { MenuButton } from '@dmp/kit/ui'
import type { RowCommand } from './useTableKeys.ts'

export interface RowMenuProps<Row> {
  readonly row: Row
  /** Names the row. */
  readonly name: string
  readonly commands: readonly RowCommand<Row>[]
}

/** What the keys do with a row, for fingers: a sheet at the bottom of a narrow screen. */
export function RowMenu<Row>({ row, name, commands }: RowMenuProps<Row>) {
  return (
    <MenuButton
      label={`More for ${name}`}
      icon={
        <svg className="dmp-outline" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M5 11.5v1M12 11.5v1M19 11.5v1" />
        </svg>
      }
      items={commands.map(({ label }) => ({ key: label, label }))}
      onChoose={(key) => commands.find(({ label }) => label === key)?.run(row)}
    />
  )
}
