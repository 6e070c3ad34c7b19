import { complaint } from '@dmp/contract'
import { MenuButton } from '@dmp/kit/ui'

export interface ChoiceButtonProps {
  readonly label: string
  /** The complaint's current value, which is not offered (4.01, 4.02). */
  readonly current: string
  readonly choices: readonly complaint.Lookup[] | undefined
  readonly busy: boolean
  readonly onChoose: (id: string) => void
}

/** A button that opens a menu of the values that a complaint can change to. */
export function ChoiceButton({ label, current, choices = [], busy, onChoose }: ChoiceButtonProps) {
  const items = choices
    .filter((choice) => complaint.mayFollow(current, choice))
    .map((choice) => ({ key: choice.id, label: choice.name }))
  return (
    <MenuButton
      look="default"
      label={label}
      items={items}
      disabled={items.length === 0 && !busy}
      busy={busy}
      onChoose={onChoose}
    >
      {label}
    </MenuButton>
  )
}
