/** SOP classes that both nodes know; the further ones of the server are its own. */
export const verification = '1.2.840.10008.1.1'
export const storageCommitment = '1.2.840.10008.1.20.1'
export const storageCommitmentInstance = '1.2.840.10008.1.20.1.1'

/** Objects are stored whatever they are: those of the standard, and private ones. */
export const isStorage = (abstractSyntax: string): boolean =>
  abstractSyntax.startsWith('1.2.840.10008.5.1.4.1.1.') ||
  (/^\d+(?:\.\d+)+$/.test(abstractSyntax) && !abstractSyntax.startsWith('1.2.840.10008.'))
