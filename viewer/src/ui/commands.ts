import type { KeyCommand } from '@dmp/kit/keys'
import { formatDay } from '@dmp/kit/language'
import { cancelMeasurement, eraseMeasurement, isMeasuring, measurementCount, type ToolName } from '../imaging/tools.ts'
import { listPresets } from '../study/presets.ts'
import type { Prior } from '../study/priors.ts'
import { seriesTitle, type SeriesEntry } from '../study/series.ts'
import { icons } from './icons.ts'
import { studyText } from './studyGroups.ts'
import type { Layout, Workspace } from './Workspace.ts'

export type CommandGroup = 'Tools' | 'Picture' | 'Window' | 'Slices' | 'Layout' | 'Page' | 'Series' | 'Studies'

/** In the order of toolbar, help and palette. */
export const groups: readonly { readonly group: CommandGroup; readonly title: string }[] = [
  { group: 'Tools', title: 'Tools' },
  { group: 'Picture', title: 'Picture' },
  { group: 'Window', title: 'Window' },
  { group: 'Slices', title: 'Slices' },
  { group: 'Layout', title: 'Layout' },
  { group: 'Series', title: 'Series' },
  { group: 'Studies', title: 'Other studies' },
  { group: 'Page', title: 'Page' },
]

/** A command of the application's keyboard, which this page has, too. */
export interface Command extends KeyCommand {
  readonly group: CommandGroup
  /** Without a picture, a command is reached by its key alone. */
  readonly icon?: string
  readonly isPressed?: () => boolean
  /** The icon while it is pressed. */
  readonly pressedIcon?: string
  /** Whether it is in the toolbar; it always is where left out. */
  readonly isOffered?: () => boolean
  /** What else the palette finds it by. */
  readonly words?: string
}

const tools: readonly { readonly tool: ToolName; readonly label: string; readonly key: string }[] = [
  { tool: 'window', label: 'Window / level', key: 'w' },
  { tool: 'scroll', label: 'Scroll', key: 's' },
  { tool: 'pan', label: 'Pan', key: 'p' },
  { tool: 'zoom', label: 'Zoom', key: 'z' },
  { tool: 'length', label: 'Length', key: 'l' },
  { tool: 'angle', label: 'Angle', key: 'a' },
  { tool: 'ellipse', label: 'Ellipse', key: 'e' },
]

const layouts: [Layout, string, string][] = [
  [1, '1×1', icons.one],
  [2, '1×2', icons.two],
  [4, '2×2', icons.four],
]

interface Dialogs {
  readonly showHelp: () => void
  readonly showPalette: () => void
}

/** Everything that can be done: toolbar, keyboard, palette and help page are all made from this. */
export function createCommands(workspace: Workspace, dialogs: Dialogs): Command[] {
  return [
    ...toolCommands(workspace),
    ...pictureCommands(workspace),
    ...windowCommands(workspace),
    ...sliceCommands(workspace),
    ...pageCommands(workspace, dialogs),
  ]
}

function toolCommands(workspace: Workspace): Command[] {
  const toolChoices = tools.map(({ tool, label, key }): Command => ({
    label,
    group: 'Tools',
    keys: [key],
    icon: icons[tool],
    run: () => workspace.pick(tool),
    isPressed: () => workspace.tool === tool,
  }))
  const erase: Command = {
    label: 'Delete measurement',
    group: 'Tools',
    keys: ['Delete', 'Backspace'],
    icon: icons.erase,
    run: () => {
      eraseMeasurement()
      workspace.redraw()
    },
    isEnabled: () => measurementCount() > 0,
  }
  const cancel: Command = {
    label: 'Cancel measurement',
    group: 'Tools',
    keys: ['Escape'],
    run: cancelMeasurement,
    isEnabled: isMeasuring,
  }
  return [...toolChoices, erase, cancel]
}

function pictureCommands(workspace: Workspace): Command[] {
  const picture = () => workspace.active.picture
  const isEnabled = () => picture().isOpen
  const group = 'Picture'
  return [
    {
      label: 'Invert',
      group,
      keys: ['i'],
      icon: icons.invert,
      run: () => picture().invert(),
      isPressed: () => picture().isInverted,
      isEnabled,
    },
    { label: 'Rotate left', group, keys: ['['], icon: icons.rotateLeft, run: () => picture().rotateBy(-90), isEnabled },
    {
      label: 'Rotate right',
      group,
      keys: [']'],
      icon: icons.rotateRight,
      run: () => picture().rotateBy(90),
      isEnabled,
    },
    {
      label: 'Flip left to right',
      group,
      keys: ['h'],
      icon: icons.flipHorizontal,
      run: () => picture().flip('flipHorizontal'),
      isEnabled,
    },
    {
      label: 'Flip top to bottom',
      group,
      keys: ['v'],
      icon: icons.flipVertical,
      run: () => picture().flip('flipVertical'),
      isEnabled,
    },
    { label: 'Fit to window', group, keys: ['0', 'f'], icon: icons.fit, run: () => picture().fit(), isEnabled },
    { label: 'Reset', group, keys: ['r'], icon: icons.reset, run: () => picture().reset(), isEnabled },
    { label: 'Zoom in', group, keys: ['+', '='], run: () => picture().zoomBy(1.25), isEnabled },
    { label: 'Zoom out', group, keys: ['-'], run: () => picture().zoomBy(0.8), isEnabled },
  ]
}

function windowCommands(workspace: Workspace): Command[] {
  return listPresets('CT').map((preset) => ({
    label: `${preset.label} (CT)`,
    group: 'Window',
    keys: [preset.key],
    run: () => workspace.active.picture.setWindow(preset),
    isEnabled: () => listPresets(workspace.active.series?.modality ?? '').length > 0,
  }))
}

function sliceCommands(workspace: Workspace): Command[] {
  const by = (steps: number) => () => workspace.active.picture.scroll(steps)
  const group = 'Slices'
  const isEnabled = () => workspace.active.picture.count > 1
  return [
    { label: 'Previous slice', group, keys: ['ArrowUp', 'ArrowLeft'], run: by(-1), isEnabled },
    { label: 'Next slice', group, keys: ['ArrowDown', 'ArrowRight'], run: by(1), isEnabled },
    { label: '10 slices back', group, keys: ['PageUp'], run: by(-10), isEnabled },
    { label: '10 slices forward', group, keys: ['PageDown'], run: by(10), isEnabled },
    { label: 'First slice', group, keys: ['Home'], run: by(-Infinity), isEnabled },
    { label: 'Last slice', group, keys: ['End'], run: by(Infinity), isEnabled },
    {
      label: 'Play',
      group,
      keys: [' '],
      icon: icons.play,
      pressedIcon: icons.pause,
      run: () => workspace.togglePlay(),
      isPressed: () => workspace.cine.isPlaying,
      isEnabled,
    },
    {
      label: 'Link scrolling',
      group,
      keys: ['k'],
      icon: icons.link,
      run: () => {
        workspace.link.toggle()
        workspace.redraw()
      },
      isPressed: () => workspace.link.isOn,
      isOffered: () => workspace.layout > 1,
      isEnabled: () => workspace.link.isPossible(workspace.active),
    },
    { label: 'Play faster', group, keys: [], run: () => workspace.changeFrameRate(1.25), isEnabled },
    { label: 'Play slower', group, keys: [], run: () => workspace.changeFrameRate(0.8), isEnabled },
  ]
}

function pageCommands(workspace: Workspace, { showHelp, showPalette }: Dialogs): Command[] {
  const shapes = layouts.map(([layout, label, icon]): Command => ({
    label,
    group: 'Layout',
    keys: [],
    icon,
    run: () => workspace.setLayout(layout),
    isPressed: () => workspace.layout === layout,
  }))
  const fullScreen: Command = {
    label: 'Full screen',
    group: 'Page',
    keys: [],
    icon: icons.fullScreen,
    run: () =>
      void (document.fullscreenElement === null
        ? document.documentElement.requestFullscreen()
        : document.exitFullscreen()),
    isPressed: () => document.fullscreenElement !== null,
    isEnabled: () => document.fullscreenEnabled,
  }
  return [
    ...shapes,
    fullScreen,
    { label: 'Keyboard and mouse', group: 'Page', keys: ['?'], icon: icons.help, run: showHelp },
    { label: 'All commands', group: 'Page', keys: ['Mod+k'], run: showPalette },
  ]
}

/** What the palette has besides: the series of the study, the patient's other studies, and series of those. */
export function studyCommands(workspace: Workspace): Command[] {
  const { study } = workspace
  const toCommand = (entry: SeriesEntry): Command => ({
    label: [seriesTitle(entry), studyText(study, entry)].filter(Boolean).join(' · '),
    group: 'Series',
    keys: [],
    words: `${entry.modality} ${entry.bodyPart}`,
    run: () => workspace.open(entry),
    isPressed: () => workspace.shownUids.includes(entry.uid),
  })
  const priors = study.priors.map((prior): Command => ({
    label: priorText(prior),
    group: 'Studies',
    keys: [],
    words: compareText(),
    run: () => void workspace.compare(prior),
  }))
  return [...study.entries.map(toCommand), ...priors]
}

const compareText = () => 'Compare prior'
const priorText = ({ studyDate, modalities, description }: Prior): string =>
  [studyDate && formatDay(studyDate), modalities.join(', '), description].filter(Boolean).join(' · ')
