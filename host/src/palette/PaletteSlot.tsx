import { toKeyCaps, useKeys, useUser, type KeyCommand } from '@dmp/kit'
import { useNavigate } from '@dmp/kit/router'
import { Button, loadDialogs as loadDialogFrame, notify } from '@dmp/kit/ui'
import { useEffect, useRef, useState, type RefObject } from 'react'
import { declarations } from '../remotes/snapshot.ts'
import { goKeys } from './goKeys.ts'

// Loaded when it is wanted: no page waits for it. With the frame, or letters typed between the two would be lost.
const loadDialogs = async () => (await Promise.all([import('./dialogs.ts'), loadDialogFrame()]))[0]

/** The button in the top bar and the keys of every page; opens the palette and the overlay of keys. */
export function PaletteSlot() {
  const navigate = useNavigate()
  const { policy } = useUser()
  const [wanted, setWanted] = useState<'palette' | 'keys'>()
  const [dialogs, setDialogs] = useState<Awaited<ReturnType<typeof loadDialogs>>>()
  const typed = useTypedAhead(wanted !== undefined && dialogs === undefined, () => setWanted(undefined))
  const close = () => setWanted(undefined)
  const open = (dialog: 'palette' | 'keys') => {
    setWanted(dialog)
    loadDialogs().then(setDialogs, () => {
      close()
      notify.error('This could not be opened. Check your connection and try again.')
    })
  }
  useKeys([
    { label: 'Search everything', group: 'Everywhere', keys: ['Mod+k'], run: () => open('palette') },
    { label: 'Keyboard shortcuts', group: 'Everywhere', keys: ['?'], run: () => open('keys') },
    ...goKeys(declarations(), policy).map(({ keys, title, to }): KeyCommand => ({
      label: title,
      group: 'Go to',
      keys: [keys],
      run: () => void navigate(to),
    })),
  ])
  return (
    <>
      <Button
        className="dmp-palette-button"
        aria-label="Search everything"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K"
        data-keys={toKeyCaps('Mod+k')}
        icon={<Magnifier />}
        onPointerEnter={() => void loadDialogs().catch(() => undefined)}
        onClick={() => open('palette')}
      >
        <span className="dmp-palette-word">Search</span>
      </Button>
      {dialogs && wanted === 'palette' && (
        <dialogs.Palette typed={typed.current} onKeys={() => open('keys')} onClose={close} />
      )}
      {dialogs && wanted === 'keys' && <dialogs.KeySheet onClose={close} />}
    </>
  )
}

/**
 * What is typed while the palette is being loaded is for the palette: not for the list, whose single letters select and
 * share. Escape takes the wish back.
 */
function useTypedAhead(isLoading: boolean, onEscape: () => void): RefObject<string> {
  const typed = useRef('')
  const latestEscape = useRef(onEscape)
  useEffect(() => {
    latestEscape.current = onEscape
  })
  // The document is outside of React.
  useEffect(() => {
    if (!isLoading) {
      // The palette that has just been drawn has it.
      typed.current = ''
      return
    }
    const take = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return
      if (event.key === 'Escape') latestEscape.current()
      else if (event.key === 'Backspace') typed.current = typed.current.slice(0, -1)
      else if (event.key.length === 1) typed.current += event.key
      else return
      event.preventDefault()
      event.stopPropagation()
    }
    document.addEventListener('keydown', take, true)
    return () => document.removeEventListener('keydown', take, true)
  }, [isLoading])
  return typed
}

function Magnifier() {
  return (
    <svg className="dmp-icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13M15.5 15.5L21 21" />
    </svg>
  )
}
