import { areKeysOn, toKeyCaps, writeKeys } from '@dmp/kit/keys'
import type { Command, CommandGroup } from './commands.ts'
import { element } from './element.ts'

const groups: CommandGroup[] = ['Tools', 'Picture', 'Window', 'Slices', 'Page']

const gestures: [string, string][] = [
  ['Left button, one finger', 'The chosen tool'],
  ['Right button, two fingers', 'Zoom; two fingers also pan'],
  ['Middle button', 'Pan'],
  ['Wheel, three fingers', 'Scroll through the slices'],
  ['Click a measurement', 'Select it; Delete removes it'],
]

/** The page of keys, from the same list that the keys work by. */
export function helpDialog(commands: () => readonly Command[]): HTMLDialogElement {
  const title = element('h2', { id: 'help-title' }, 'Keyboard and mouse')
  const close = element('button', { type: 'button', class: 'action' }, 'Close')
  const body = element('div', { class: 'help-body' })
  const box = element('input', { type: 'checkbox' })
  box.addEventListener('change', () => writeKeys(box.checked))
  const keySwitch = element('label', { class: 'key-switch' }, box, ' Single letters and digits work as shortcuts')
  const dialog = element('dialog', { class: 'help', 'aria-labelledby': 'help-title' }, title, body, keySwitch, close)
  close.addEventListener('click', () => dialog.close())
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog) dialog.close()
  })
  const write = () => body.replaceChildren(...groups.map((group) => section(group, commands())), mouseSection())
  dialog.addEventListener('toggle', () => {
    if (!dialog.open) return
    write()
    box.checked = areKeysOn()
  })
  return dialog
}

function section(group: CommandGroup, commands: readonly Command[]): HTMLElement {
  const list = element('dl')
  for (const { label, keys } of commands.filter((each) => each.group === group && each.keys.length > 0)) {
    const names = keys.flatMap(toKeyCaps).flatMap((cap, at) => [at === 0 ? '' : ' ', element('kbd', {}, cap)])
    list.append(element('div', {}, element('dt', {}, ...names), element('dd', {}, label)))
  }
  return element('section', {}, element('h3', {}, group), list)
}

function mouseSection(): HTMLElement {
  const list = element('dl')
  for (const [gesture, effect] of gestures)
    list.append(element('div', {}, element('dt', {}, gesture), element('dd', {}, effect)))
  return element('section', {}, element('h3', {}, 'Mouse and touch'), list)
}
