/**
 * The modalities (0008,0060) that a description does not name already, as people read them: "MR Heart" is no
 * "MR MR Heart".
 */
export const unsaidModalities = (modalities: readonly string[], description: string): string => {
  const words = description.split(/[^\p{L}\p{N}]+/u)
  return modalities.filter((modality) => !words.includes(modality)).join(', ')
}
