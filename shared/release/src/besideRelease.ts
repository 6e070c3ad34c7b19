/** Documents that lie beside a release's files. No release names them, so the server serves them to nobody. */
export const besideRelease = { billOfMaterials: 'sbom.cdx.json', provenance: 'provenance.json' } as const
