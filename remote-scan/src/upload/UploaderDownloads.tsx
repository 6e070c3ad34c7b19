import { useState } from 'react'
import { scan } from '@dmp/contract'
import { formatBytes, useAct, useSession } from '@dmp/kit'
import { ErrorAlert, Facts, Section } from '@dmp/kit/screen'
import { Button, Flex } from '@dmp/kit/ui'
import { startDownload } from '../shared/startDownload.ts'

const systems = [
  { platform: 'windows', name: 'Windows' },
  { platform: 'macos', name: 'macOS' },
  { platform: 'linux', name: 'Linux' },
] as const
type Platform = (typeof systems)[number]['platform']

interface Got {
  readonly platform: Platform
  readonly fileName: string | undefined
  readonly size: number | undefined
  readonly sha256: string | undefined
}

/** Whoever sets a station up sits at another machine: the footer offers the uploader for this one. */
export function UploaderDownloads() {
  const organizationId = useSession((state) => state.user?.organizationId) ?? ''
  const [got, setGot] = useState<Got>()
  const { act, busy, error } = useAct(scan.getUploader, {
    onDone: ({ url, fileName, size, sha256 }, { platform }) => {
      setGot({ platform, fileName, size, sha256 })
      startDownload(url)
    },
  })
  return (
    <Section title="Get the uploader">
      <p>
        On a machine where scans are made, the uploader sends whatever arrives in a folder, or from devices that only
        speak DICOM, by itself.
      </p>
      <ErrorAlert error={error} />
      <Flex gap="small" wrap>
        {systems.map(({ platform, name }) => (
          <Button
            key={platform}
            aria-label={`Uploader for ${name}`}
            disabled={busy}
            onClick={() => void act({ organizationId, platform })}
          >
            {name}
          </Button>
        ))}
      </Flex>
      {/* In the page before it is filled: else nobody hears what is put into it. */}
      <div role="status" className="uploader-got">
        {got && <FirstStart {...got} />}
      </div>
    </Section>
  )
}

/** Whether the file is the one that the server has, and how its first start goes. */
function FirstStart({ platform, fileName, size, sha256 }: Got) {
  return (
    <>
      {sha256 !== undefined && size !== undefined && (
        <Facts
          facts={[
            { label: 'File', value: fileName },
            { label: 'Size', value: formatBytes(size) },
            { label: 'SHA-256', value: sha256, wide: true },
          ]}
        />
      )}
      <HowToStart platform={platform} />
      <pre className="uploader-start" dir="ltr">
        {startLines[platform]}
      </pre>
      {/* Whoever has seen the window closes the terminal, and nobody sends any more. */}
      <p>
        The window runs only while its terminal is open. These lines put the program where it can stay, and start it
        with the machine:
      </p>
      <pre className="uploader-start" dir="ltr">
        {stayLines[platform]}
      </pre>
    </>
  )
}

const startLines: Readonly<Record<Platform, string>> = {
  windows: 'dmp-uploader.exe window',
  macos: 'tar -xzf dmp-uploader.tar.gz\n./dmp-uploader/dmp-uploader window',
  linux: 'chmod +x dmp-uploader\n./dmp-uploader window',
}

const stayLines: Readonly<Record<Platform, string>> = {
  windows:
    'mkdir "%LOCALAPPDATA%\\dmp-uploader"\nmove dmp-uploader.exe "%LOCALAPPDATA%\\dmp-uploader"\n' +
    '"%LOCALAPPDATA%\\dmp-uploader\\dmp-uploader.exe" service install',
  macos:
    'mkdir -p ~/Applications\nmv dmp-uploader ~/Applications/\n~/Applications/dmp-uploader/dmp-uploader service install',
  linux: 'mkdir -p ~/.local/bin\nmv dmp-uploader ~/.local/bin/\n~/.local/bin/dmp-uploader service install',
}

function HowToStart({ platform }: Pick<Got, 'platform'>) {
  if (platform === 'windows')
    return (
      <p>
        Open a command prompt in the folder of the file, and enter the line below: the window of the uploader opens in
        the browser. Windows may warn of a program that it does not know: compare the checksum (Get-FileHash in
        PowerShell), then choose “More info” and “Run anyway”.
      </p>
    )
  if (platform === 'macos')
    return (
      <p>
        Install Node 24 or newer first (brew install node). Open a terminal in the folder of the file, and enter the
        lines below: the window of the uploader opens in the browser.
      </p>
    )
  return (
    <p>
      Open a terminal in the folder of the file, compare the checksum (sha256sum dmp-uploader), and enter the lines
      below. The window of the uploader opens in the browser; on a machine without one, connect it by ./dmp-uploader
      --connect and the address of the product.
    </p>
  )
}
