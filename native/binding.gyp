{
  'variables': {
    # 1 in a checkout of the repository; 0 for the published sources, which meet compilers that we never saw.
    'warnings_are_errors%': 0,
  },
  'targets': [
    {
      'target_name': 'freshdex',
      # A unit includes all files of a layer: see tools/units.mjs.
      'sources': [
        '<!@(node tools/units.mjs native/build/units 0'
        ' native/base native/analysis native/index native/score native/quality native/ledger native/node)',
      ],
      'include_dirs': ['..', "<!(node -p \"require('node-addon-api').include_dir\")"],
      # Nothing throws across the Node-API boundary, so node-addon-api runs without C++ exceptions; the core keeps them
      # enabled because the standard library reports exhausted memory that way.
      # A worker that is being terminated refuses every exception; without SWALLOW that would end the whole process.
      'defines': [
        'NAPI_VERSION=9',
        'NAPI_DISABLE_CPP_EXCEPTIONS',
        'NODE_API_NO_EXTERNAL_BUFFERS_ALLOWED',
        'NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS',
      ],
      'cflags!': ['-fno-exceptions'],
      'cflags_cc!': ['-fno-exceptions', '-fno-rtti', '-std=gnu++17', '-std=gnu++20', '-std=gnu++23'],
      'cflags_cc': [
        '-std=c++20',
        '-O3',
        '-Wall',
        '-Wextra',
        '-fexceptions',
        '-fvisibility=hidden',
        # A product and a sum rounded once instead of twice would make scores depend on the way they are computed.
        '-ffp-contract=off',
        '-fstack-protector-strong',
        # Some distributions predefine another level; redefining it would be a warning.
        '-U_FORTIFY_SOURCE',
        '-D_FORTIFY_SOURCE=2',
      ],
      'configurations': {
        # Assertions state our own invariants; the native tests run with them.
        'Release': { 'defines': ['NDEBUG'] },
      },
      'conditions': [
        ['warnings_are_errors==1', {
          'cflags_cc': ['-Werror'],
          'xcode_settings': { 'GCC_TREAT_WARNINGS_AS_ERRORS': 'YES' },
        }],
        ['OS=="linux"', {
          'ldflags': ['-Wl,-z,relro,-z,now'],
        }],
        ['OS=="mac"', {
          'xcode_settings': {
            'CLANG_CXX_LANGUAGE_STANDARD': 'c++20',
            'CLANG_CXX_LIBRARY': 'libc++',
            'GCC_ENABLE_CPP_EXCEPTIONS': 'YES',
            'GCC_ENABLE_CPP_RTTI': 'YES',
            'GCC_OPTIMIZATION_LEVEL': '3',
            'GCC_SYMBOLS_PRIVATE_EXTERN': 'YES',
            'MACOSX_DEPLOYMENT_TARGET': '11.0',
            'WARNING_CFLAGS': ['-Wall', '-Wextra'],
          },
        }],
      ],
    },
  ],
}
