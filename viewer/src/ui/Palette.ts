import { areKeysOn, filterByRank, toKeyCaps } from '@dmp/kit/keys'
import { groups, type Command } from './commands.ts'
import { element, icon, setAttribute, setText } from './element.ts'
import { icons } from './icons.ts'

const paletteTitle = () => 'All commands'
const placeholderText = () => 'Tools, layouts, series, studies …'
const resultsLabel = () => 'Commands'
const closeLabel = () => 'Close'
const nothingText = (term: string): string => `Nothing found for “${term}”.`
const resultsText = (count: number): string => (count === 1 ? '1 result' : `${count} results`)

interface Option {
  readonly command: Command
  readonly button: HTMLButtonElement
}

/**
 * Everything that can be done, found by its name: what a narrow window has no room for stands here, too. A combobox
 * with a list in groups (ARIA practices); where a finger is the pointer it opens without a keyboard over it.
 */
export class Palette {
  readonly #commands: () => readonly Command[]
  readonly #field = element('input', {
    type: 'text',
    role: 'combobox',
    'aria-label': paletteTitle(),
    'aria-controls': 'palette-list',
    'aria-expanded': 'true',
    'aria-autocomplete': 'list',
    placeholder: placeholderText(),
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 100,
    dir: 'auto',
  })
  readonly #list = element('div', { id: 'palette-list', role: 'listbox', 'aria-label': resultsLabel(), tabindex: -1 })
  readonly #status = element('p', { class: 'palette-status', role: 'status' })
  readonly root = element('dialog', { class: 'palette', 'aria-label': paletteTitle() })
  #options: readonly Option[] = []
  #activeAt = 0

  constructor(commands: () => readonly Command[]) {
    this.#commands = commands
    const close = element('button', { type: 'button', class: 'tool', 'aria-label': closeLabel() }, '×')
    this.root.append(element('div', { class: 'palette-field' }, this.#field, close), this.#list, this.#status)
    this.#field.addEventListener('input', () => this.#write())
    this.root.addEventListener('keydown', (event) => this.#press(event))
    close.addEventListener('click', () => this.root.close())
    this.root.addEventListener('click', (event) => {
      if (event.target === this.root) this.root.close()
    })
    this.root.addEventListener('toggle', () => this.root.open && this.#begin())
  }

  show(): void {
    this.root.showModal()
  }

  #begin(): void {
    this.#field.value = ''
    this.#write()
    const isTouched = matchMedia('(pointer: coarse)').matches
    if (isTouched) this.#list.focus()
    else this.#field.focus()
  }

  /** What was typed for stands in order of rank; else everything in its groups. */
  #write(): void {
    const term = this.#field.value.trim()
    const possible = this.#commands().filter(({ isEnabled }) => isEnabled?.() ?? true)
    const ordered =
      term === ''
        ? groups.flatMap(({ group }) => possible.filter((command) => command.group === group))
        : filterByRank(
            term,
            possible.map((command) => ({ text: command.label, words: command.words, command })),
          ).map(({ command }) => command)
    this.#options = ordered.map((command, at) => ({ command, button: optionButton(command, at) }))
    const options = this.#options
    for (const option of options) option.button.addEventListener('click', () => this.#run(option))
    this.#list.replaceChildren(...(term === '' ? grouped(options) : options.map(({ button }) => button)))
    this.#list.hidden = options.length === 0
    this.#status.classList.toggle('unseen', options.length > 0)
    const found = term === '' ? '' : resultsText(options.length)
    setText(this.#status, options.length === 0 ? nothingText(term) : found)
    this.#choose(0)
  }

  #choose(at: number): void {
    this.#activeAt = at
    for (const [place, { button }] of this.#options.entries()) setAttribute(button, 'aria-selected', place === at)
    const button = this.#options[at]?.button
    setAttribute(this.#field, 'aria-activedescendant', button?.id)
    button?.scrollIntoView?.({ block: 'nearest' })
  }

  #press(event: KeyboardEvent): void {
    if (event.isComposing) return
    const count = this.#options.length
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const active = this.#options[this.#activeAt]
    const isEntered = event.key === 'Enter' && (event.target === this.#field || event.target === this.#list)
    if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') this.root.close()
    else if (step !== undefined && count > 0) this.#choose((this.#activeAt + step + count) % count)
    else if (isEntered && active) this.#run(active)
    else return
    event.preventDefault()
  }

  #run({ command }: Option): void {
    // The command may need the focus or a dialog of its own.
    this.root.close()
    command.run()
  }
}

/** The groups with their headings. */
function grouped(options: readonly Option[]): HTMLElement[] {
  return groups.flatMap(({ group, title }) => {
    const own = options.filter(({ command }) => command.group === group).map(({ button }) => button)
    if (own.length === 0) return []
    const id = `palette-${group}`
    const heading = element('div', { id, class: 'palette-heading', role: 'presentation' }, title)
    return [element('div', { role: 'group', 'aria-labelledby': id }, heading, ...own)]
  })
}

const onText = () => 'On'

function optionButton({ label, keys, icon: drawing, isPressed }: Command, at: number): HTMLButtonElement {
  const isOn = isPressed?.() === true
  const caps = areKeysOn() || keys[0]?.startsWith('Mod+') ? keys.slice(0, 1).flatMap(toKeyCaps) : []
  const button = element(
    'button',
    { type: 'button', role: 'option', id: `palette-option-${at}`, tabindex: -1, class: 'palette-option' },
    element('span', { class: 'palette-icon' }, drawing === undefined ? undefined : icon(drawing)),
    element('bdi', { class: 'palette-text' }, label),
    isOn
      ? element('span', { class: 'palette-on' }, icon(icons.check), element('span', { class: 'unseen' }, onText()))
      : undefined,
    caps.length === 0
      ? undefined
      : element('span', { dir: 'ltr', 'aria-hidden': 'true' }, ...caps.map((cap) => element('kbd', {}, cap))),
  )
  // Otherwise the field would lose the focus.
  button.addEventListener('mousedown', (event) => event.preventDefault())
  return button
}
