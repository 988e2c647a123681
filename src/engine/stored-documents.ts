/** Stored documents that the core does not keep itself. It has their numbers and the hashes of their stored forms. */
export interface StoredDocuments {
  /** The stored form. CORRUPT unless it is there and has this hash, 8 bytes, little endian. */
  read(document: number, hash: Uint8Array): Uint8Array
}
