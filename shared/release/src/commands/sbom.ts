import { listReleaseRefs } from '../move.ts'
import { besideRelease } from '../besideRelease.ts'
import { releaseKey, StoreError } from '../store/ReleaseStore.ts'
import { getLive, type Command } from './command.ts'

export const sbomCommand: Command = {
  usage: 'sbom     remote-scan',
  about: 'print which packages the live release (or --release) holds, as CycloneDX, and how it was built',
  run: async ({ store, part, releaseId }) => {
    const refs = listReleaseRefs((await getLive(store)).live)
    const ref = refs.find(({ name }) => name === part)
    const id = releaseId ?? ref?.releaseId
    if (part === undefined || id === undefined)
      throw new StoreError(`Name a part that is live: ${refs.map(({ name }) => name).join(', ')}.`)
    const [sbom, provenance] = await Promise.all(
      Object.values(besideRelease).map((file) => store.read(releaseKey(part, id, file))),
    )
    if (sbom === undefined)
      throw new StoreError(`${part} ${id} has no list of packages: it was published before releases had one.`)
    return {
      json: {
        name: part,
        releaseId: id,
        sbom: JSON.parse(sbom.toString()) as unknown,
        provenance: provenance === undefined ? null : (JSON.parse(provenance.toString()) as unknown),
      },
      text: sbom.toString().trimEnd(),
    }
  },
}
