import { act, fireEvent } from '@testing-library/react'
import { listKeys } from '../../keys/keyboard.ts'
import { toNumber } from './ownAnswer.ts'
import { contentOf, isField, isSilent, nameOf, roleOf, squeeze } from './hear.ts'

/** One thing that a person can do on a page. */
export interface Action {
  readonly kind: 'press' | 'set' | 'fill' | 'key'
  /** Role and name: by which it is found again, and under which it stands in the record. */
  readonly key: string
  /** The dialog and the group that it stands in: two have a button of one name. */
  readonly within: string
  /** Of those with the same role and name, which. */
  readonly nth: number
}

const pressableRole = /^(?:button|menuitem|menuitemradio|menuitemcheckbox|tab|switch|option)$/
/** Within the page: what else a link leads to stands in its address. */
const isLink = (element: Element): boolean =>
  element.tagName === 'A' && /^[/?]/.test(element.getAttribute('href') ?? '') && !element.hasAttribute('target')
const isPressable = (element: Element): boolean =>
  /^(?:BUTTON|SUMMARY)$/.test(element.tagName) ||
  isLink(element) ||
  pressableRole.test(element.getAttribute('role') ?? '')
const isDisabled = (element: Element): boolean =>
  (element as HTMLButtonElement).disabled || element.getAttribute('aria-disabled') === 'true'

/** All that is not hidden. */
function* reachable(root: Element): Generator<HTMLElement> {
  for (let child = root.firstElementChild; child; child = child.nextElementSibling) {
    if (isSilent(child)) continue
    yield child as HTMLElement
    yield* reachable(child)
  }
}

/** What a person can reach that is such a control: within the innermost dialog, which takes all clicks, or the page. */
function find(isWanted: (element: Element) => boolean): HTMLElement[] {
  return [...reachable(findDialog() ?? document.body)].filter((element) => isWanted(element) && !isDisabled(element))
}
function findDialog(): Element | undefined {
  const dialogs = [...document.querySelectorAll('dialog, [role="dialog"], [role="alertdialog"]')]
  return dialogs.findLast((dialog) => {
    for (let element: Element | null = dialog; element; element = element.parentElement)
      if (isSilent(element)) return false
    return true
  })
}

const keyOf = (element: Element): string => `${roleOf(element) || element.tagName.toLowerCase()} “${nameOf(element)}”`
const listHeadings = (): string[] =>
  [...document.querySelectorAll('th')]
    .map(contentOf)
    .filter((heading) => heading !== '')
    .toSorted((one, other) => other.length - one.length)

/**
 * Own values have numbers: two controls of two rows are one. So are those that move, copy or hide a column, of which
 * each heading has some.
 */
function shapeOf(key: string, headings: readonly string[]): string {
  const name = key.replace(/^[^“]*“(.*)”$/, '$1')
  const heading = headings.find((text) => name.includes(text) && (name !== text || key.startsWith('checkbox')))
  return (heading ? key.replace(heading, '…') : key).replaceAll(/\d+/g, '#')
}

/** What tells each action from the others of this moment. */
export function identify(actions: readonly Action[]): string[] {
  const headings = listHeadings()
  return actions.map(({ kind, key, within }) => `${kind} ${shapeOf(key, headings)} in ${shapeOf(within, headings)}`)
}

const nameGroup = (element: Element): string => {
  const group = element.closest('fieldset')
  return group ? nameOf(group) : ''
}
const nameDialog = (): string => {
  const dialog = findDialog()
  return dialog ? nameOf(dialog) : ''
}

const withPlaces = (elements: readonly Element[], kind: Action['kind']): Action[] => {
  const seen = new Map<string, number>()
  const dialog = nameDialog()
  return elements.map((element) => {
    const key = keyOf(element)
    const nth = seen.get(key) ?? 0
    seen.set(key, nth + 1)
    return { kind, key, nth, within: `${dialog} ${nameGroup(element)}` }
  })
}

const isInForm = (element: Element): boolean => element.closest('form, [role="dialog"]') !== null
const isChoice = (element: Element): boolean =>
  element.tagName === 'SELECT' || /^(?:checkbox|radio|range)$/.test((element as HTMLInputElement).type)

/** What keys do, unless a dialog has them. */
const listKeyActions = (): Action[] =>
  findDialog()
    ? []
    : listKeys()
        .filter(({ isEnabled }) => isEnabled?.() ?? true)
        .map(({ keys: [key = ''], label }) => ({ kind: 'key', key: `${key} “${label}”`, nth: 0, within: '' }))

/** What every list has from the kit, whose tests press it. */
const ofEveryList: readonly RegExp[] = [
  /^summary “Columns”$/,
  /^radio “(?:Comfortable|Compact)”$/,
  /^button “(?:Move .+ (?:up|down)|Reset columns)”$/,
  /^button “(?:Page \d+|Previous)”$/,
  /^menuitem “(?:Save this view…|Manage views…)”$/,
  /^[jk/] “/,
]
const cancel = 'button “Cancel”'

/** Without what would only be seen again: a dialog is left once, and where something can be typed, when it was. */
function leaveOut(actions: readonly Action[]): Action[] {
  const keys = new Set(actions.map(({ key }) => key))
  const hasFields = actions.some(({ kind }) => kind === 'fill')
  return actions.filter(
    ({ key }) =>
      !ofEveryList.some((each) => each.test(key)) &&
      !(key === cancel && hasFields) &&
      !(key === 'button “Close”' && keys.has(cancel)) &&
      key !== 'button “Close notification”',
  )
}

/** What can be done now: each button, each field that is no part of a form, each choice, and all fields of a form. */
export function listActions(): Action[] {
  const fields = find(isField)
  const inForm = fields.filter(isInForm)
  return leaveOut([
    ...withPlaces(find(isPressable), 'press'),
    ...withPlaces(fields, 'set').filter((_, index) => !isInForm(fields[index]!) || isChoice(fields[index]!)),
    ...(inForm.length > 0
      ? [{ kind: 'fill' as const, key: inForm.map(nameOf).join(', '), nth: 0, within: nameDialog() }]
      : []),
    ...listKeyActions(),
  ])
}

/** What can be done with a form that is filled. */
export const listSubmits = (): Action[] => leaveOut(withPlaces(find(isPressable), 'press'))

function setValue(field: HTMLElement, value: string): void {
  act(() => field.focus())
  fireEvent.change(field, { target: { value } })
}

/** Texts of a field, of which the first is taken that the form accepts. */
const textsFor = (field: HTMLInputElement, name: string): string[] => {
  const type = field.getAttribute('inputmode') === 'numeric' && field.type === 'text' ? 'number' : field.type
  const slug = name.replaceAll(/[^A-Za-z]+/g, '-').replaceAll(/^-|-$/g, '') || 'text'
  const byType: Readonly<Record<string, string[]>> = {
    email: [`${slug.toLowerCase()}@own.example`],
    password: [/old|current/i.test(name) ? 'OldPassword12!' : 'OwnPassword12!'],
    number: ['7', '70', '700', '1'],
    date: ['2026-04-05'],
    time: ['06:07'],
    'datetime-local': ['2026-04-05T06:07'],
    range: ['3'],
    color: ['#123456'],
    url: [`https://own.example/${slug}`],
    tel: [`+49 30 ${toNumber(name)}`],
  }
  return (
    byType[type] ?? [
      `Own ${slug}`,
      `Own-${slug}`,
      `${slug.toLowerCase()}@own.example`,
      `https://own.example/${slug}`,
      '123456',
      '104',
      '10.0.0.7',
      'own.example',
      'remote-own',
      'delete',
      '7f'.repeat(32),
    ]
  )
}

function setChoice(field: HTMLElement): void {
  if (field instanceof HTMLSelectElement) {
    const other = [...field.options].findLast(({ disabled, selected }) => !disabled && !selected)
    if (other) setValue(field, other.value)
  } else fireEvent.click(field)
}

const setFile = (field: HTMLInputElement): void => {
  const type = field.accept.includes('image') ? 'image/png' : 'application/octet-stream'
  const file = new File(['own file'], type === 'image/png' ? 'own.png' : 'own.bin', { type })
  fireEvent.change(field, { target: { files: [file] } })
}

function setField(field: HTMLElement, attempt: number): void {
  const input = field as HTMLInputElement
  if (field.tagName === 'SELECT' || input.type === 'radio') setChoice(field)
  else if (input.type === 'checkbox') {
    if (!input.checked) fireEvent.click(field)
  } else if (input.type === 'file') setFile(input)
  else if (roleOf(field) === 'combobox') {
    fireEvent.click(field)
  } else {
    const texts = textsFor(input, nameOf(field))
    const text = texts[Math.min(attempt, texts.length - 1)] ?? ''
    setValue(field, input.maxLength > 0 ? text.slice(0, input.maxLength) : text)
  }
}

const chooseOption = (): void => {
  const option = find((element) => roleOf(element) === 'option' && element.tagName !== 'OPTION').find(
    (element) => element.getAttribute('aria-selected') !== 'true',
  )
  if (option) fireEvent.click(option)
}

/** How often a text that a form refuses is replaced by another. */
const attempts = 12

/** Gives every field of the form a value of its own; `next` lets the page take it. */
async function fillAll({ nth }: Action, next: () => Promise<void>): Promise<void> {
  for (const field of find(isField).filter(isInForm)) {
    // What was chosen before brought the other fields.
    if (nth > 0 && isChoice(field)) continue
    setField(field, 0)
    await next()
    if (roleOf(field) === 'combobox' && field.tagName === 'INPUT') chooseOption()
    fireEvent.blur(field)
    for (let attempt = 1; attempt < attempts && field.getAttribute('aria-invalid') === 'true'; attempt += 1) {
      setField(field, attempt)
      fireEvent.blur(field)
    }
  }
  await next()
}

/** What a link does besides; where it leads stands in its address. */
function clickWithoutGoing(link: HTMLElement): void {
  document.addEventListener('click', (event) => event.preventDefault(), { capture: true, once: true })
  fireEvent.click(link)
}

function pressKeys(keys: string): void {
  for (const part of keys.split(' ')) {
    const key = part.replace('Mod+', '')
    fireEvent.keyDown(document.activeElement ?? document.body, { key, ctrlKey: part !== key })
  }
}

/** Does it as a person would. Returns whether it was there to be done. */
export async function perform(action: Action, next: () => Promise<void>): Promise<boolean> {
  const { kind, key, nth } = action
  if (kind === 'fill' || kind === 'key') {
    if (kind === 'fill') await fillAll(action, next)
    else pressKeys(key.replace(/ “.*$/, ''))
    return true
  }
  const element = find(kind === 'press' ? isPressable : isField).filter((found) => keyOf(found) === key)[nth]
  if (!element) return false
  if (kind === 'set' && !isChoice(element)) {
    setField(element, 0)
    await next()
    if (roleOf(element) === 'combobox') chooseOption()
    else if ((element as HTMLInputElement).type !== 'file') fireEvent.keyDown(element, { key: 'Enter' })
  } else if (kind === 'set') setChoice(element)
  else if (isLink(element)) clickWithoutGoing(element)
  else {
    fireEvent.pointerDown(element)
    fireEvent.mouseDown(element)
    act(() => element.focus())
    fireEvent.mouseUp(element)
    fireEvent.click(element)
  }
  return true
}

export const sayAction = ({ kind, key }: Action): string =>
  kind === 'fill' ? 'fill all fields' : `${kind} ${squeeze(key)}`
