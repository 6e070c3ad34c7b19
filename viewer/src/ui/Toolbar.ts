import { toKeyCaps } from '@dmp/kit/keys'
import { direction } from '@dmp/kit/language'
import { listPresets } from '../study/presets.ts'
import { frameRates } from '../imaging/Cine.ts'
import { groups, type Command, type CommandGroup } from './commands.ts'
import { element, icon, setAttribute } from './element.ts'
import { icons } from './icons.ts'
import type { Workspace } from './Workspace.ts'

const barGroups: readonly CommandGroup[] = ['Tools', 'Picture', 'Slices', 'Layout', 'Page']
const toolbarLabel = () => 'Image tools'
const moreLabel = () => 'All commands'
const choiceText = () => 'Window …'

/**
 * One stop for the Tab key; the arrow keys go from control to control inside it. What has no room in a narrow window is
 * left to the list of all commands, whose button stands at the end.
 */
export function toolbar(workspace: Workspace, commands: readonly Command[]): HTMLElement {
  const row = element('div', { class: 'tools' })
  const refreshes: (() => void)[] = []
  for (const { group, title } of groups.filter((each) => barGroups.includes(each.group))) {
    const box = element('div', { class: 'group', role: 'group', 'aria-label': title })
    for (const command of commands.filter((each) => each.group === group && each.icon !== undefined)) {
      const { button, refresh } = commandButton(command)
      box.append(button)
      refreshes.push(refresh)
    }
    if (group === 'Picture') box.append(presetChoice(workspace, refreshes))
    if (group === 'Slices') box.append(rateField(workspace, refreshes))
    row.append(box)
  }
  const { button: more } = commandButton({
    ...commands.find(({ keys }) => keys.includes('Mod+k'))!,
    label: moreLabel(),
    icon: icons.more,
  })
  setAttribute(more, 'aria-haspopup', 'dialog')
  const bar = element('div', { role: 'toolbar', class: 'toolbar', 'aria-label': toolbarLabel() }, row, more)
  const refresh = () => refreshes.forEach((each) => each())
  workspace.onChange(refresh)
  document.addEventListener('fullscreenchange', refresh)
  workspace.onClose(() => document.removeEventListener('fullscreenchange', refresh))
  refresh()
  rove(bar)
  const sizes = new ResizeObserver(() => fit(row))
  sizes.observe(row)
  workspace.onClose(() => sizes.disconnect())
  return bar
}

/** Leaves out what would stand beyond the end of the row. */
function fit(row: HTMLElement): void {
  const all = [...row.querySelectorAll<HTMLElement>('button, select, input')]
  for (const each of all) each.classList.remove('over')
  const end = row.getBoundingClientRect()
  const isOver = (each: HTMLElement): boolean => {
    const box = each.getBoundingClientRect()
    return direction() === 'rtl' ? box.left < end.left - 1 : box.right > end.right + 1
  }
  const first = all.findIndex((each) => !each.hidden && isOver(each))
  if (first >= 0) for (const each of all.slice(first)) each.classList.add('over')
}

function setHidden(control: HTMLElement, isHidden: boolean): void {
  if (control.hidden === isHidden) return
  control.hidden = isHidden
  const row = control.closest<HTMLElement>('.tools')
  if (row) fit(row)
}

function commandButton(command: Command): { button: HTMLButtonElement; refresh: () => void } {
  const { label, keys, isPressed, isEnabled, isOffered, pressedIcon } = command
  const hint = keys.length === 0 ? label : `${label} (${keys.flatMap(toKeyCaps).join(' / ')})`
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
    if (isOffered) setHidden(button, !isOffered())
    // Not `disabled`: a control that loses the focus because a picture is loading leaves keyboard users nowhere.
    setAttribute(button, 'aria-disabled', isEnabled?.() === false ? 'true' : undefined)
    if (pressedIcon) button.querySelector('path')?.setAttribute('d', pressed ? pressedIcon : (command.icon ?? ''))
  }
  return { button, refresh }
}

function presetChoice(workspace: Workspace, refreshes: (() => void)[]): HTMLElement {
  const choice = element(
    'select',
    { 'aria-label': 'Window preset', class: 'preset' },
    element('option', { value: '' }, choiceText()),
  )
  for (const { label, width, center } of listPresets('CT'))
    choice.append(element('option', { value: label }, `${label} (${width} / ${center})`))
  choice.addEventListener('change', () => {
    const preset = listPresets('CT').find(({ label }) => label === choice.value)
    if (preset !== undefined) workspace.active.picture.setWindow(preset)
  })
  refreshes.push(() => {
    const presets = listPresets(workspace.active.series?.modality ?? '')
    setHidden(choice, presets.length === 0)
    const grey = workspace.active.picture.window
    const current = presets.find(
      ({ width, center }) => Math.round(grey?.width ?? 0) === width && Math.round(grey?.center ?? 0) === center,
    )
    choice.value = current?.label ?? ''
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
  const stops = () =>
    [...bar.querySelectorAll<HTMLElement>('button, select, input')].filter(
      (each) => !each.hidden && !each.classList.contains('over'),
    )
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
