import type { KeyCommand } from '@dmp/kit/keys'
import { eraseMeasurement, measurementCount, type ToolName } from '../imaging/tools.ts'
import { listPresets } from '../study/presets.ts'
import { icons } from './icons.ts'
import type { Layout, Workspace } from './Workspace.ts'

export type CommandGroup = 'Tools' | 'Picture' | 'Window' | 'Slices' | 'Layout' | 'Page'

/** A command of the application's keyboard, which this page has, too. */
export interface Command extends KeyCommand {
  readonly group: CommandGroup
  /** Without a picture, a command is reached by its key alone. */
  readonly icon?: string
  readonly isPressed?: () => boolean
}

const tools: [ToolName, string, string][] = [
  ['window', 'Window / level', 'w'],
  ['scroll', 'Scroll', 's'],
  ['pan', 'Pan', 'p'],
  ['zoom', 'Zoom', 'z'],
  ['length', 'Length', 'l'],
  ['angle', 'Angle', 'a'],
  ['ellipse', 'Ellipse', 'e'],
]

const layouts: [Layout, string, string][] = [
  [1, '1×1', icons.one],
  [2, '1×2', icons.two],
  [4, '2×2', icons.four],
]

/** Everything that can be done: the toolbar, the keyboard and the help page are all made from this. */
export function createCommands(workspace: Workspace, showHelp: () => void): Command[] {
  return [
    ...toolCommands(workspace),
    ...pictureCommands(workspace),
    ...windowCommands(workspace),
    ...sliceCommands(workspace),
    ...pageCommands(workspace, showHelp),
  ]
}

function toolCommands(workspace: Workspace): Command[] {
  const toolChoices = tools.map(([tool, label, key]): Command => ({
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
  return [...toolChoices, erase]
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
    label: `${preset.name} (CT)`,
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
      run: () => workspace.togglePlay(),
      isPressed: () => workspace.cine.isPlaying,
      isEnabled,
    },
  ]
}

function pageCommands(workspace: Workspace, showHelp: () => void): Command[] {
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
  ]
}
