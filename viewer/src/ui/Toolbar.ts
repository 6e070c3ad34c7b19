import { toKeyCaps } from '@dmp/kit/keys'
import { direction } from '@dmp/kit/language'
import { listPresets } from '../study/presets.ts'
import { frameRates } from '../imaging/Cine.ts'
import type { Command, CommandGroup } from './commands.ts'
import { element, icon, setAttribute } from './element.ts'
import { icons } from './icons.ts'
import type { Workspace } from './Workspace.ts'

const groups: CommandGroup[] = ['Tools', 'Picture', 'Slices', 'Layout', 'Page']

/** One stop for the Tab key; the arrow keys go from control to control inside it. */
export function toolbar(workspace: Workspace, commands: readonly Command[]): HTMLElement {
  const bar = element('div', { role: 'toolbar', class: 'toolbar', 'aria-label': 'Image tools' })
  const refreshes: (() => void)[] = []
  for (const group of groups) {
    const box = element('div', { class: 'group', role: 'group', 'aria-label': group })
    for (const command of commands.filter((each) => each.group === group && each.icon !== undefined)) {
      const { button, refresh } = commandButton(command)
      box.append(button)
      refreshes.push(refresh)
    }
    if (group === 'Picture') box.append(presetChoice(workspace, refreshes))
    if (group === 'Slices') box.append(rateField(workspace, refreshes))
    bar.append(box)
  }
  const refresh = () => refreshes.forEach((each) => each())
  workspace.onChange(refresh)
  document.addEventListener('fullscreenchange', refresh)
  workspace.onClose(() => document.removeEventListener('fullscreenchange', refresh))
  refresh()
  rove(bar)
  return bar
}

function commandButton(command: Command): { button: HTMLButtonElement; refresh: () => void } {
  const { label, keys, isPressed, isEnabled } = command
  const hint = keys.length === 0 ? label : `${label} (${keys.flatMap(toKeyCaps).join(' or ')})`
  const button = element(
    'button',
    { type: 'button', class: 'tool', 'aria-label': label, title: hint },
    icon(command.icon ?? ''),
  )
  button.addEventListener('click', () => {
    if (button.getAttribute('aria-disabled') !== 'true') command.run()
  })
  const refresh = () => {
    const pressed = isPressed?.()
    if (pressed !== undefined) setAttribute(button, 'aria-pressed', pressed)
    // Not `disabled`: a control that loses the focus because a picture is loading leaves keyboard users nowhere.
    setAttribute(button, 'aria-disabled', isEnabled?.() === false ? 'true' : undefined)
    if (label === 'Play') button.querySelector('path')?.setAttribute('d', pressed === true ? icons.pause : icons.play)
  }
  return { button, refresh }
}

function presetChoice(workspace: Workspace, refreshes: (() => void)[]): HTMLElement {
  const choice = element(
    'select',
    { 'aria-label': 'Window preset', class: 'preset' },
    element('option', { value: '' }, 'Window …'),
  )
  for (const { name, width, center } of listPresets('CT'))
    choice.append(element('option', { value: name }, `${name} (${width} / ${center})`))
  choice.addEventListener('change', () => {
    const preset = listPresets('CT').find(({ name }) => name === choice.value)
    if (preset !== undefined) workspace.active.picture.setWindow(preset)
  })
  refreshes.push(() => {
    const presets = listPresets(workspace.active.series?.modality ?? '')
    choice.hidden = presets.length === 0
    const grey = workspace.active.picture.window
    const current = presets.find(
      ({ width, center }) => Math.round(grey?.width ?? 0) === width && Math.round(grey?.center ?? 0) === center,
    )
    choice.value = current?.name ?? ''
  })
  return choice
}

function rateField(workspace: Workspace, refreshes: (() => void)[]): HTMLElement {
  const { least, most } = frameRates
  const field = element('input', {
    type: 'number',
    min: least,
    max: most,
    step: 1,
    class: 'rate',
    'aria-label': 'Images per second',
    title: 'Images per second',
  })
  field.addEventListener('change', () => {
    const frameRate = Number(field.value)
    if (frameRate >= least && frameRate <= most) workspace.setFrameRate(frameRate)
    else field.value = String(workspace.frameRate)
  })
  refreshes.push(() => {
    if (document.activeElement !== field) field.value = String(Math.round(workspace.frameRate))
  })
  return field
}

function rove(bar: HTMLElement): void {
  const stops = () => [...bar.querySelectorAll<HTMLElement>('button, select, input')].filter((each) => !each.hidden)
  const settle = (current: HTMLElement | undefined) =>
    stops().forEach((each) => setAttribute(each, 'tabindex', each === current ? 0 : -1))
  settle(stops()[0])
  bar.addEventListener('focusin', (event) => settle(event.target as HTMLElement))
  bar.addEventListener('keydown', (event) => {
    // Fields keep their own arrows up and down; left and right leave them.
    const all = stops()
    const at = all.indexOf(event.target as HTMLElement)
    const way = direction() === 'rtl' ? -1 : 1
    const next = { ArrowRight: at + way, ArrowLeft: at - way, Home: 0, End: all.length - 1 }[event.key]
    if (next === undefined || at < 0) return
    event.preventDefault()
    all[(next + all.length) % all.length]?.focus()
  })
}
