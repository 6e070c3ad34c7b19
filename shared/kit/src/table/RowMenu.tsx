import { MenuButton } from '@dmp/kit/ui'

export interface RowMenuProps {
  /** Names the row. */
  readonly name: string
  readonly commands: readonly string[]
  readonly onChoose: (command: string) => void
}

/** What the keys do with a row, for fingers: a sheet at the bottom of a narrow screen. */
export function RowMenu({ name, commands, onChoose }: RowMenuProps) {
  return (
    <MenuButton
      label={`More for ${name}`}
      icon={
        <svg className="dmp-outline" viewBox="0 0 24 24" aria-hidden="true">
          <path d="M5 11.5v1M12 11.5v1M19 11.5v1" />
        </svg>
      }
      items={commands.map((label) => ({ key: label, label }))}
      onChoose={onChoose}
    />
  )
}
