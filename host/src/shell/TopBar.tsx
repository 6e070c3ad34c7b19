import { session, settings } from '@dmp/kit'
import { InboxSlot } from '../inbox/InboxSlot.tsx'
import { PaletteSlot } from '../palette/PaletteSlot.tsx'
import { WorkSlot } from '../work/WorkSlot.tsx'
import { Button, ThemeToggle } from '@dmp/kit/ui'

interface Props {
  readonly isSmall: boolean
  readonly onToggle: () => void
}

/** Navigation toggle, welcome text, search, inbox, theme and Log out (2.34). */
export function TopBar({ isSmall, onToggle }: Props) {
  return (
    <header className="dmp-top">
      <Button
        type="text"
        className="dmp-hamburger"
        aria-label="Toggle navigation"
        aria-expanded={!isSmall}
        onClick={onToggle}
        icon={<Bars />}
      />
      <p className="dmp-welcome">
        <span>Welcome to {settings().applicationName}</span>
      </p>
      <PaletteSlot />
      <WorkSlot />
      <InboxSlot />
      <ThemeToggle />
      <Button onClick={() => void session.end()}>Log out</Button>
    </header>
  )
}

function Bars() {
  return (
    <svg className="dmp-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 6h16M4 12h16M4 18h16" />
    </svg>
  )
}
