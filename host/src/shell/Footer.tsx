import * as account from '@dmp/contract/account'
import * as scan from '@dmp/contract/scan'
import { call, formatBytes, session, settings, useSession } from '@dmp/kit'
import { notify } from '@dmp/kit/ui'
import { useState } from 'react'
import { DeviceLabelModal } from './DeviceLabelModal.tsx'

/** 2.36: on every page. */
export function Footer() {
  const { company, productVersion } = settings()
  const organizationId = useSession((state) => state.user?.organizationId)
  const [isLabelOpen, setIsLabelOpen] = useState(false)
  const [isOpening, setIsOpening] = useState(false)
  const open = (whenSignedOut: string, ask: () => Promise<string>) => {
    setIsOpening(true)
    void openAddress(whenSignedOut, ask).finally(() => setIsOpening(false))
  }
  const openIfu = () => open('Sign in to open the instructions for use.', () => call(account.getIFU, {}))
  const openUploader = () =>
    open('Sign in to download the uploader.', async () => {
      const { url, fileName, size, sha256 } = await call(scan.getUploader, {
        organizationId: organizationId ?? '',
        platform: toPlatform(navigator),
      })
      // Servers of before tell neither.
      if (size !== undefined && sha256 !== undefined)
        notify.info(`${fileName}, ${formatBytes(size)}, SHA-256 ${sha256}. How to start it: Scans, Upload.`)
      return url
    })
  return (
    <footer className="dmp-footer">
      <ul>
        <li>
          <a href={company.termsOfUse} target="_blank" rel="noopener noreferrer">
            Terms Of Use
          </a>
        </li>
        <li>
          <button type="button" disabled={isOpening} onClick={openIfu}>
            IFU
          </button>
        </li>
        <li>
          <button type="button" onClick={() => setIsLabelOpen(true)}>
            Device Label
          </button>
        </li>
        <li>
          <button type="button" disabled={isOpening} onClick={openUploader}>
            Uploader
          </button>
        </li>
      </ul>
      <p>
        © {company.year} <bdi>{company.name}</bdi> · <bdi>{productVersion}</bdi>
      </p>
      {isLabelOpen && <DeviceLabelModal onClose={() => setIsLabelOpen(false)} />}
    </footer>
  )
}

/** 2.41: requests an address and opens it in a new tab. 8.08: a failure is an error notification. */
async function openAddress(whenSignedOut: string, ask: () => Promise<string>): Promise<void> {
  if (!session.isValid()) {
    notify.info(whenSignedOut)
    return
  }
  try {
    window.open(await ask(), '_blank', 'noopener,noreferrer')
  } catch (error) {
    notify.error(error instanceof Error ? error.message : 'An unknown error occurred')
  }
}

/** What browsers on Chromium say of the system; TypeScript does not know it yet. */
interface Reader {
  readonly userAgent: string
  readonly userAgentData?: { readonly platform: string }
}

/**
 * The uploader that runs where the page is read; whoever reads on a phone gets the one of most clinics. The others are
 * on the screen of the stations.
 */
function toPlatform({ userAgent, userAgentData }: Reader): 'windows' | 'linux' | 'macos' {
  const system = userAgentData?.platform || userAgent
  if (/Android|iPhone|iPad|CrOS/.test(system)) return 'windows'
  if (/macOS|Macintosh|Mac OS X/.test(system)) return 'macos'
  return /Linux|X11/.test(system) ? 'linux' : 'windows'
}
