/** What is started with the machine: the one description of which the three definitions are made. */
export interface Service {
  readonly title: string
  readonly command: readonly string[]
  /** Of the whole machine, or of one person. */
  readonly isOfMachine: boolean
}

export const serviceName = 'dmp-uploader'
export const launchdLabel = 'org.dmp.uploader'
const restartSeconds = 10

/** systemd splits at blanks, and reads % and $ itself. */
const unitWord = (word: string): string =>
  `"${word.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('%', '%%').replaceAll('$', '$$$$')}"`

/** A unit of systemd. */
export function toUnit({ title, command, isOfMachine }: Service): string {
  return [
    '[Unit]',
    `Description=${title}`,
    ...(isOfMachine ? ['Wants=network-online.target', 'After=network-online.target'] : []),
    '',
    '[Service]',
    'Type=exec',
    `ExecStart=${command.map(unitWord).join(' ')}`,
    'Restart=on-failure',
    `RestartSec=${restartSeconds}`,
    // Wrong usage and a refused account are not mended by starting again.
    'RestartPreventExitStatus=2 3',
    'UMask=0077',
    'NoNewPrivileges=yes',
    '',
    '[Install]',
    `WantedBy=${isOfMachine ? 'multi-user.target' : 'default.target'}`,
    '',
  ].join('\n')
}

const xml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

/** A property list of launchd. */
export function toPropertyList({ command }: Service): string {
  const text = (word: string): string => `<string>${xml(word)}</string>`
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>Label</key>${text(launchdLabel)}
  <key>ProgramArguments</key>
  <array>${command.map(text).join('')}</array>
  <key>RunAtLoad</key><true/>
  <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
  <key>ThrottleInterval</key><integer>${restartSeconds}</integer>
  <key>Umask</key><integer>63</integer>
  <key>ProcessType</key><string>Background</string>
</dict>
</plist>
`
}

/** A word of a command line of Windows: quoted, with the backslashes before quotes doubled. */
export function windowsWord(word: string): string {
  let quoted = ''
  let backslashes = 0
  for (const letter of word) {
    // A quote counts what stands before it; it is written with a backslash of its own.
    if (letter === '"') quoted += `${'\\'.repeat(backslashes)}\\`
    backslashes = letter === '\\' ? backslashes + 1 : 0
    quoted += letter
  }
  return `"${quoted}${'\\'.repeat(backslashes)}"`
}

/** A task of Windows: a service proper would need a program that speaks with the service manager. */
export function toTask({ title, command, isOfMachine }: Service, user: string): string {
  const [program = '', ...words] = command
  const principal = isOfMachine
    ? '<UserId>S-1-5-19</UserId>'
    : `<UserId>${xml(user)}</UserId><LogonType>InteractiveToken</LogonType>`
  const trigger = isOfMachine
    ? '<BootTrigger><Enabled>true</Enabled></BootTrigger>'
    : `<LogonTrigger><Enabled>true</Enabled><UserId>${xml(user)}</UserId></LogonTrigger>`
  return `<?xml version="1.0" encoding="UTF-16"?>
<Task version="1.2" xmlns="http://schemas.microsoft.com/windows/2004/02/mit/task">
  <RegistrationInfo><Description>${xml(title)}</Description></RegistrationInfo>
  <Triggers>${trigger}</Triggers>
  <Principals><Principal id="Author">${principal}<RunLevel>LeastPrivilege</RunLevel></Principal></Principals>
  <Settings>
    <MultipleInstancesPolicy>IgnoreNew</MultipleInstancesPolicy>
    <DisallowStartIfOnBatteries>false</DisallowStartIfOnBatteries>
    <StopIfGoingOnBatteries>false</StopIfGoingOnBatteries>
    <ExecutionTimeLimit>PT0S</ExecutionTimeLimit>
    <RestartOnFailure><Interval>PT1M</Interval><Count>999</Count></RestartOnFailure>
    <Enabled>true</Enabled>
  </Settings>
  <Actions Context="Author"><Exec><Command>${xml(program)}</Command><Arguments>${xml(words.map(windowsWord).join(' '))}</Arguments></Exec></Actions>
</Task>
`
}
