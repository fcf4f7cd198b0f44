foreach(name IN ITEMS wait shfl vote match redux)
  warpcheck_test(spec_${name} unit warpcheck-spec)
endforeach()
