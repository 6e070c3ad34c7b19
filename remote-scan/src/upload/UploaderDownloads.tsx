import { scan } from '@dmp/contract'
import { useAct, useSession } from '@dmp/kit'
import { ErrorAlert, Section } from '@dmp/kit/screen'
import { Button, Flex } from '@dmp/kit/ui'

const systems = [
  { platform: 'windows', name: 'Windows' },
  { platform: 'macos', name: 'macOS' },
  { platform: 'linux', name: 'Linux' },
] as const

/** Whoever sets a station up sits at another machine: the footer offers the uploader for this one. */
export function UploaderDownloads() {
  const organizationId = useSession((state) => state.user?.organizationId) ?? ''
  const { act, busy, error } = useAct(scan.getUploader, {
    onDone: ({ url }) => void window.open(url, '_blank', 'noopener,noreferrer'),
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
    </Section>
  )
}
