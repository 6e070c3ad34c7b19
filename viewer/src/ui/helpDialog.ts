import { areKeysOn, toKeyCaps, writeKeys } from '@dmp/kit/keys'
import { groups, type Command } from './commands.ts'
import { element } from './element.ts'

const helpTitle = () => 'Keyboard and mouse'
const mouseTitle = () => 'Mouse and touch'
const closeText = () => 'Close'
const gestures: readonly { readonly title: string; readonly text: string }[] = [
  { title: 'Left button, one finger', text: 'The chosen tool' },
  { title: 'Right button, two fingers', text: 'Zoom; two fingers also pan' },
  { title: 'Middle button', text: 'Pan' },
  { title: 'Wheel, three fingers', text: 'Scroll through the slices' },
  { title: 'Click a measurement', text: 'Select it; Delete removes it' },
]

/** The page of keys, from the same list that the keys work by. */
export function helpDialog(commands: () => readonly Command[]): HTMLDialogElement {
  const title = element('h2', { id: 'help-title' }, helpTitle())
  const close = element('button', { type: 'button', class: 'action' }, closeText())
  const body = element('div', { class: 'help-body' })
  const box = element('input', { type: 'checkbox' })
  box.addEventListener('change', () => writeKeys(box.checked))
  const keySwitch = element('label', { class: 'key-switch' }, box, ' Single letters and digits work as shortcuts')
  const dialog = element('dialog', { class: 'help', 'aria-labelledby': 'help-title' }, title, body, keySwitch, close)
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  const write = () => body.replaceChildren(...sections(commands()), mouseSection())
  dialog.addEventListener('toggle', () => {
    if (!dialog.open) return
    write()
    box.checked = areKeysOn()
  })
  return dialog
}

function sections(commands: readonly Command[]): HTMLElement[] {
  return groups.flatMap(({ group, title }) => {
    const withKeys = commands.filter((command) => command.group === group && command.keys.length > 0)
    if (withKeys.length === 0) return []
    const lines = withKeys.map(({ label, keys }) => {
      const caps = keys.flatMap(toKeyCaps).flatMap((cap, at) => [at === 0 ? '' : ' ', element('kbd', {}, cap)])
      return element('div', {}, element('dt', {}, ...caps), element('dd', {}, label))
    })
    return [element('section', {}, element('h3', {}, title), element('dl', {}, ...lines))]
  })
}

function mouseSection(): HTMLElement {
  const list = element('dl')
  for (const { title, text } of gestures)
    list.append(element('div', {}, element('dt', {}, title), element('dd', {}, text)))
  return element('section', {}, element('h3', {}, mouseTitle()), list)
}
