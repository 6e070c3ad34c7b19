import { DesktopOutlined, MoonOutlined, SunOutlined } from './icons.tsx'
import { MenuButton } from './MenuButton.tsx'
import { useThemeChoice, type ThemeChoice } from './themeChoice.ts'

const labels: Readonly<Record<ThemeChoice, string>> = {
  system: 'System colours',
  light: 'Light colours',
  dark: 'Dark colours',
}
const icons: Readonly<Record<ThemeChoice, React.ReactNode>> = {
  system: <DesktopOutlined aria-hidden />,
  light: <SunOutlined aria-hidden />,
  dark: <MoonOutlined aria-hidden />,
}
const choices: readonly ThemeChoice[] = ['system', 'light', 'dark']

/** The choice between the machine's colours, light and dark; for the top bar. */
export function ThemeToggle() {
  const { choice, choose } = useThemeChoice()
  const items = choices.map((key) => ({ key, label: labels[key], icon: icons[key], isChosen: key === choice }))
  return (
    <MenuButton
      label={`Colours: ${labels[choice]}`}
      icon={icons[choice]}
      items={items}
      onChoose={(key) => choose(choices.find((theme) => theme === key) ?? 'system')}
    />
  )
}
