#include "native/base/status.h"

namespace freshdex {

const char* CodeName(Code code) {
  switch (code) {
    case Code::kOk:
      return "OK";
    case Code::kBatchTooLarge:
      return "BATCH_TOO_LARGE";
    case Code::kCorrupt:
      return "CORRUPT";
    case Code::kDiskFull:
      return "DISK_FULL";
    case Code::kDocumentTooLarge:
      return "DOCUMENT_TOO_LARGE";
    case Code::kDuplicateKey:
      return "DUPLICATE_KEY";
    case Code::kInternal:
      return "INTERNAL";
    case Code::kInvalidKey:
      return "INVALID_KEY";
    case Code::kIo:
      return "IO";
    case Code::kLocked:
      return "LOCKED";
    case Code::kMalformed:
      return "INTERNAL";
    case Code::kQueryTooComplex:
      return "QUERY_TOO_COMPLEX";
    case Code::kSnapshotInTheWay:
      return "BUSY";
    case Code::kTermsRenumbered:
      return "BUSY";
    case Code::kTooManyTerms:
      return "TOO_MANY_TERMS";
  }
  return "INTERNAL";
}

}  // namespace freshdex
